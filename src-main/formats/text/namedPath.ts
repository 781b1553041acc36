import { within } from '../listing'

/** @returns undefined for an absolute path, or one that leads out of the folder */
export function projectPath(folder: string, path: string): string | undefined {
  if (/^([/\\~]|[a-zA-Z]:)/.test(path)) return undefined
  const steps = path.split(/[/\\]/).filter((step) => step !== '' && step !== '.')
  return steps.includes('..') ? undefined : within(folder, steps.join('/'))
}
