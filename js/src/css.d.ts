// Importing a style sheet gives its text.

declare module "*.css" {
  const text: string;
  export default text;
}
