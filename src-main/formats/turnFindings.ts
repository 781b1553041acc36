import { listNames } from '@shared/listNames'
import { turnRecords } from '@shared/turnRecord'
import { fileFinding, type Finding } from './finding'
import type { Remembered } from './format'

/** What the newest turn that Bridgedeck ran left uncommitted. @param file of the run that the finding stands at */
export function turnFindings(remembered: Remembered, system: string, file: string | undefined): Finding[] {
  const newest = turnRecords(remembered).at(-1)
  if (file === undefined || !newest || newest.uncommitted.length === 0) return []
  const { role, task, uncommitted } = newest
  return [
    fileFinding(
      file,
      `${system}/uncommitted`,
      'warning',
      `changes in ${listNames(uncommitted)} that the ${role}${task === null ? '' : ` of task ${task}`} did not commit`,
      'a clean work tree after a turn',
    ),
  ]
}
