import type { RecordingCatalog } from './recordingCatalog'
import type { Recorder } from './recorder'
import type { AreaHandlers, Emit } from '../rpc/commands'
import { markMachine } from './markMachine'

export interface RecorderParts {
  readonly recorder: Recorder
  readonly recordings: RecordingCatalog
  readonly emit: Emit
}

export function createRecorderHandlers({ recorder, recordings, emit }: RecorderParts): AreaHandlers<'recorder'> {
  const pathOf = async (recording: string): Promise<string> => (await recordings.find(recording)).path
  return {
    'recorder.list': async () => ({ recordings: (await recordings.list()).slice(0, 5000) }),
    'recorder.info': async ({ recording }, signal) => {
      const { name, open, path } = await recordings.find(recording)
      return { recording, name, open, ...(await recorder.query('info', { path }, signal)) }
    },
    'recorder.imageAt': async ({ recording, ...request }, signal) =>
      recorder.query('imageAt', { path: await pathOf(recording), ...request }, signal),
    'recorder.changes': async ({ recording, space, address, from, to, order, limit }, signal) =>
      recorder.query(
        'changes',
        { path: await pathOf(recording), space, address, span: { from, to }, order, limit },
        signal,
      ),
    'recorder.values': async ({ recording, space, address, from, to, points }, signal) =>
      recorder.query('values', { path: await pathOf(recording), space, address, span: { from, to }, points }, signal),
    'recorder.mostChanged': async ({ recording, space, limit }, signal) =>
      recorder.query('mostChanged', { path: await pathOf(recording), space, limit }, signal),
    'recorder.firstWhen': async ({ recording, space, address, from, to, condition }, signal) =>
      recorder.query(
        'firstWhen',
        { path: await pathOf(recording), space, address, span: { from, to }, condition },
        signal,
      ),
    'recorder.difference': async ({ recording, space, times }, signal) =>
      recorder.query('difference', { path: await pathOf(recording), space, times }, signal),
    'recorder.marks': async ({ recording }, signal) =>
      recorder.query('marks', { path: await pathOf(recording), span: {} }, signal),
    'recorder.addMark': async ({ recording, ...mark }) => {
      const added = await recorder.addMark(await pathOf(recording), mark)
      emit('recorder.marked', { recording })
      return added
    },
    'recorder.markMachine': ({ machine, ...mark }) => markMachine({ recorder, emit }, machine, mark),
    'recorder.deleteMark': async ({ recording, mark }) => {
      await recorder.deleteMark(await pathOf(recording), mark)
      emit('recorder.marked', { recording })
      return {}
    },
    'recorder.pin': async ({ recording, pinned }) => {
      await recorder.pin(await pathOf(recording), pinned)
      return {}
    },
    'recorder.exportTo': async ({ recording, path, request }, signal) =>
      recorder.export(
        { path: await pathOf(recording), to: path, request },
        (percent) => emit('recorder.exported', { recording, percent }),
        signal,
      ),
  }
}
