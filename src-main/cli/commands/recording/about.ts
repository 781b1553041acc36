import { formatByte } from '@shared/c64/address'
import type { Change, Damage, RecordingSummary } from '@shared/contract/recorder'
import type { CommandContext } from '../../command'
import { required, text } from '../../parameters'
import type { Session } from '../../session'
import { openTaskSession } from '../task/taskSession'

export const recordingId = required(text('ID', 'The recording.'))

export interface RecordingOf {
  readonly session: Session
  readonly recording: string
  /** ms since 1970; 0 without frames. */
  readonly start: number
}

export async function openRecording(
  context: CommandContext,
  recording: string,
  home: string | undefined,
): Promise<RecordingOf> {
  const session = await openTaskSession(context, home)
  const { from } = await session.client.call('recorder.info', { recording }, context.signal)
  return { session, recording, start: from ?? 0 }
}

export const iso = (time: number): string => new Date(time).toISOString()

export const inIso = <Recording extends RecordingSummary>(recording: Recording) => ({
  ...recording,
  from: recording.from === null ? null : iso(recording.from),
  to: recording.to === null ? null : iso(recording.to),
})

export function recordingLine({
  recording,
  machine,
  from,
  to,
  frames,
  bytes,
  open,
  problem,
}: RecordingSummary): string {
  if (problem !== null) return `${recording}  ${problem}`
  const seconds = from === null || to === null ? 0 : (to - from) / 1000
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MiB`
  return `${recording}  ${machine ?? ''}  ${frames} frames in ${seconds.toFixed(1)} s, ${size}${open ? ', recording' : ''}`
}

export const changeData = ({ time, ...change }: Change) => ({ time: iso(time), ...change })

export const changeLine = ({ time, value, before }: Change): string =>
  `${iso(time)}  ${before === null ? '   ' : formatByte(before)} -> ${formatByte(value)}`

export const damageData = (damages: readonly Damage[]) => ({
  damages: damages.map(({ from, to, message }) => ({ from: iso(from), to: iso(to), message })),
})

export const withDamages = (lines: readonly string[], damages: readonly Damage[]): string =>
  [...lines, ...damages.map(({ from, to, message }) => `Damaged from ${iso(from)} to ${iso(to)}: ${message}`)].join(
    '\n',
  )
