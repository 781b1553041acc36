import { formatRange } from '@shared/c64/address'
import type { DescribedAddress } from '@shared/contract/labels'
import type { LabelledCheckpoint } from '@shared/contract/checkpoints'
import { counted } from '@shared/countedText'
import { sourceText } from '@shared/sourceText'
import { MACHINES_HEADING, type CommandGroup } from '../../command'
import { number, required } from '../../parameters'

export const checkpointGroup: CommandGroup = {
  name: 'checkpoint',
  aliases: ['checkpoints'],
  defaultVerb: 'list',
  heading: MACHINES_HEADING,
  summary: 'Where a machine stops: breakpoints and watchpoints',
}

export const checkpointNumber = required(
  number('NUMBER', 'The number of the checkpoint.', { min: 0, max: 0xffff_ffff }),
)

export const checkpointData = ({ start, end, ...checkpoint }: LabelledCheckpoint) => ({
  ...checkpoint,
  range: formatRange({ start, end: end + 1 }),
})

export const checkpointRow = (checkpoint: LabelledCheckpoint, place?: DescribedAddress): string[] => {
  const { number, operations, stop, enabled, temporary, hits, condition, fromHit, log, label, line } = checkpoint
  const { unbound, enabledAgain } = checkpoint
  const notes = [
    ...(unbound === null ? [] : [`unbound: ${unbound}`]),
    ...(enabledAgain === false ? ['stays disabled'] : []),
    ...(enabled || unbound !== null ? [] : ['disabled']),
    ...(stop || log !== null ? [] : ['counts only']),
    ...(temporary ? ['temporary'] : []),
    ...(condition === null ? [] : [`if ${condition}`]),
    ...(fromHit === 1 ? [] : [`from hit ${fromHit}`]),
    ...(log === null ? [] : [`logs ${log}`]),
  ]
  return [
    String(number),
    checkpointData(checkpoint).range,
    label ?? place?.called ?? '',
    operations.join(', '),
    counted(hits, 'hit'),
    notes.join(', '),
    line === null ? (place?.source ?? '') : sourceText(line),
  ]
}
