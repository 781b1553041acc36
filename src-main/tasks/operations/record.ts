import { z } from 'zod'
import { AppError } from '@shared/contract/errors'
import { spaces, type Space } from '@shared/contract/memory'
import { defineOperation, type OperationContext } from '../operation'
import { choices, flag } from './arguments'
import { warnOfSampling } from './samplingRisk'

export const record = defineOperation({
  name: 'record',
  title: 'Record the machine',
  does: 'Records every sampled frame until the task is stopped; the Timeline view shows any moment of it. Each run reports the progress.',
  needs: ['readMemory'],
  writes: false,
  savesFiles: true,
  types: ['background'],
  arguments: z.strictObject({
    spaces: choices(spaces).optional().meta({
      description:
        'Which of the overlapping memories. Default: what the views show, which is cpu, io, and ram where the machine can reach it.',
    }),
    picture: flag(true, 'Whether the picture is recorded too, where the machine gives one.'),
  }),
  run: async (context, args) => {
    const { machine, recordFrames } = context
    const request = {
      spaces: args.spaces ?? shownOf(machine),
      picture: args.picture && machine.unsupported.picture === undefined,
    }
    const { ramUnderRom } = machine.unsupported
    if (request.spaces.includes('ram') && ramUnderRom !== undefined) {
      throw new AppError('UNSUPPORTED', `Not on this machine (${machine.status.title}): ${ramUnderRom}`, {
        details: { capability: 'ramUnderRom' },
      })
    }
    const note = warnOfSampling(context)
    const { added, ...recorded } = await recordFrames(request)
    return {
      summary: { ...recorded, ...request, ...note },
      value: null,
      ...(added === 0 ? { nothing: whyNothing(machine) } : {}),
    }
  },
})

function whyNothing({ status: { execution, reason } }: OperationContext['machine']): string {
  if (reason !== null) return `Nothing is recorded: ${reason}`
  return execution === 'paused' || execution === 'jammed'
    ? `Nothing new is recorded while the machine is ${execution}.`
    : 'This run recorded nothing: the machine sent no frame in that time.'
}

const shownOf = ({ unsupported }: OperationContext['machine']): Space[] => [
  'cpu',
  ...(unsupported.ramUnderRom === undefined ? ['ram' as const] : []),
  'io',
]
