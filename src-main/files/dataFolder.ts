import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'

/** `BRIDGEDECK_DATA`, else the platform's usual place. Window, bridge and command line must agree on it. */
export function dataFolder(
  environment: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
  home: string = homedir(),
): string {
  if (environment.BRIDGEDECK_DATA) return resolve(environment.BRIDGEDECK_DATA)
  if (platform === 'win32') return join(environment.APPDATA ?? join(home, 'AppData', 'Roaming'), 'Bridgedeck')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Bridgedeck')
  const { XDG_CONFIG_HOME: config } = environment
  // The XDG specification says to ignore a relative path.
  return join(config && isAbsolute(config) ? config : join(home, '.config'), 'bridgedeck')
}
