/** Declares the parts of node that tests use. The import of a style sheet is empty here. */
declare module "node:fs" {
  export function readFileSync(path: URL, encoding: "utf8"): string;
}
declare module "node:child_process" {
  export function execFileSync(
    program: string,
    args: string[],
    options: { cwd: string; encoding: "utf8"; maxBuffer: number; input?: string },
  ): string;
}
/** Its environment variables. */
declare const process: { env: Record<string, string | undefined> };
