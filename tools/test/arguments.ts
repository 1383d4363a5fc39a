export const PROJECTS = ['unit', 'python', 'kodi', 'real'] as const;
export type Project = (typeof PROJECTS)[number];

export interface TestArguments {
  readonly projects: readonly Project[];
  /** For vitest as they are: name filters, files, options. */
  readonly rest: readonly string[];
}

/** Reads "unit kodi -t name": leading project names choose the projects (none: all), the rest is vitest's. */
export function parseArguments(args: readonly string[]): TestArguments {
  const isProject = (arg: string): arg is Project => (PROJECTS as readonly string[]).includes(arg);
  const firstOther = args.findIndex((arg) => !isProject(arg));
  const named = (firstOther < 0 ? args : args.slice(0, firstOther)).filter(isProject);
  return {
    projects: named.length === 0 ? PROJECTS : PROJECTS.filter((project) => named.includes(project)),
    rest: firstOther < 0 ? [] : args.slice(firstOther),
  };
}
