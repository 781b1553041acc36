import type { TaskType } from '@shared/contract/tasks'

/** Four digits at least: 9999 is followed by 10000. */
export const makeTaskId = (counter: number, name: string): string => `${String(counter).padStart(4, '0')}_${name}`

/** 0 where the id has no counter, or one beyond the safe integers. */
export function counterOf(id: string): number {
  const digits = /^(\d{4,15})_/.exec(id)?.[1]
  return digits === undefined ? 0 : Number(digits)
}

/** No separator, and nothing that is special on any system. */
export const isFolderName = (id: string): boolean =>
  id !== '' &&
  id.length <= 200 &&
  !id.startsWith('.') &&
  !/[\\/:*?"<>|\p{Cc}\p{Cs}\uFFFD]/u.test(id) &&
  !/[. ]$/.test(id)

const parents: Readonly<Record<TaskType, string>> = { foreground: 'tasks', background: 'tasks/background' }

/** Relative to the state home, with `/`. */
export const folderOf = (type: TaskType, id: string): string => `${parents[type]}/${id}`

export function compareIds(a: string, b: string): number {
  return counterOf(a) - counterOf(b) || (a < b ? -1 : a > b ? 1 : 0)
}
