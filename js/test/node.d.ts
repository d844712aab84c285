/** Of node, what the tests use: style sheets are empty to an import here. */
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
/** Its settings. */
declare const process: { env: Record<string, string | undefined> };
