/**
 * What every agent gets: where programs and the person's files are, the language, the terminal. All else, such as keys,
 * needs a name that the person chose.
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
/** Hardly any program starts on Windows without these. */
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

export type OwnVariables = Readonly<Record<`MAESTRO_${string}`, string>>

export function agentEnvironment(
  chosen: readonly string[],
  from: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const locale = Object.keys(from).filter((name) => name.startsWith('LC_'))
  const names = new Set([...always, ...locale, ...(platform === 'win32' ? onWindows : []), ...chosen])
  return Object.fromEntries([...names].flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])))
}
