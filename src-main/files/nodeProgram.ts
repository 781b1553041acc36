/** Electron runs no scripts, so there it is the app's or the checkout's own Node, named by BRIDGEDECK_NODE. */
export const nodeProgram = (
  environment: NodeJS.ProcessEnv = process.env,
  versions: NodeJS.ProcessVersions = process.versions,
): string => ('electron' in versions ? (environment.BRIDGEDECK_NODE ?? 'node') : process.execPath)
