/**
 * The Node that runs programs of ours: that of this process. Within Electron, which starts no scripts, it is the one that the app brings
 * along, or a checkout's; main tells it in BRIDGEDECK_NODE.
 */
export const nodeProgram = (
  environment: NodeJS.ProcessEnv = process.env,
  versions: NodeJS.ProcessVersions = process.versions,
): string => ('electron' in versions ? (environment.BRIDGEDECK_NODE ?? 'node') : process.execPath)
