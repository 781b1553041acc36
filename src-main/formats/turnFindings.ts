import { listNames } from '@shared/listNames'
import { fileFinding, type Finding } from './finding'
import type { Remembered } from './format'
import { leftUncommitted } from './uncommitted'

export function turnFindings(remembered: Remembered, system: string, file: string | undefined): Finding[] {
  const left = leftUncommitted(remembered)
  if (file === undefined || !left) return []
  const { role, task, uncommitted } = left
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
