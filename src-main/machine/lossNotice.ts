import type { MachineState } from '@shared/contract/machine'
import type { Machine } from './machine'

export function describeLoss(
  { status: { title }, afterLoss = 'unknown' }: Pick<Machine, 'status' | 'afterLoss'>,
  program: MachineState['program'],
  time: Date,
): string | null {
  const at = time.toTimeString().slice(0, 8)
  if (program === null) {
    return afterLoss === 'restarted' ? `${title} was restarted at ${at}; the program that ran in it is lost.` : null
  }
  const loadAgain = program.watched ? 'Load or rebuild it' : 'Load it again'
  switch (afterLoss) {
    case 'restarted':
      return `${title} was restarted at ${at}; ${program.name} no longer runs in it. ${loadAgain}.`
    case 'unknown':
      return `${title} reconnected at ${at}. It is unknown whether ${program.name} still runs. ${loadAgain} if it does not.`
    case 'resumed':
      return null
  }
}
