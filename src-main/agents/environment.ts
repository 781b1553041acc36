/**
 * What an agent may know of the environment: where programs and the person's own files are, the language, the terminal. Keys
 * and everything else reach it only by the names that the person chose for it.
 */
const always = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TERM',
  'TMPDIR',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_CACHE_HOME',
  'XDG_STATE_HOME',
]
/** Without these hardly a program starts there. */
const onWindows = [
  'SystemRoot',
  'SystemDrive',
  'ComSpec',
  'PATHEXT',
  'TEMP',
  'TMP',
  'USERPROFILE',
  'USERNAME',
  'APPDATA',
  'LOCALAPPDATA',
  'ProgramFiles',
  'ProgramData',
]

/** Which Bridgedeck sets itself: Maestro's, of the person who started it, with the agent that this process plays. */
export type OwnVariables = Readonly<Record<`MAESTRO_${string}`, string>>

/** @param chosen names beside those that every agent gets */
export function agentEnvironment(
  chosen: readonly string[],
  from: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const locale = Object.keys(from).filter((name) => name.startsWith('LC_'))
  const names = new Set([...always, ...locale, ...(platform === 'win32' ? onWindows : []), ...chosen])
  return Object.fromEntries([...names].flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])))
}
