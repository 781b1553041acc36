import { within } from '../listing'

/** A path that a state file names, relative to the project; undefined for one that is absolute or leads out of the folder. */
export function projectPath(folder: string, path: string): string | undefined {
  if (/^([/\\~]|[a-zA-Z]:)/.test(path)) return undefined
  const steps = path.split(/[/\\]/).filter((step) => step !== '' && step !== '.')
  return steps.includes('..') ? undefined : within(folder, steps.join('/'))
}
