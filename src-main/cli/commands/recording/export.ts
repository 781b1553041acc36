import { exportFormats, type ExportRequest } from '@shared/contract/recorder'
import { defineCommand, type Values } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import {
  address,
  bank,
  choice,
  filePath,
  flag,
  number,
  requireWithin,
  recordingTime,
  required,
  requireValue,
  timeIn,
  withDefault,
} from '../../parameters'
import { homeOption } from '../task/taskSession'
import { damageData, openRecording, recordingId, withDamages } from './about'
import { recordingGroup as group } from './group'

const MAX_CSV_LENGTH = 256

const options = {
  format: required(choice('FORMAT', 'The file format.', exportFormats)),
  address: address('csv and raw: the first byte.'),
  length: number('N', `csv and raw: bytes. Default: 1 and 256. A CSV has at most ${MAX_CSV_LENGTH}.`, {
    min: 1,
    max: 0x10000,
  }),
  samples: flag('csv: a line for each sample, not for each change.'),
  bank: bank(),
  at: recordingTime('raw and png: the time.'),
  from: recordingTime('csv, apng and marks: the first time. Default: the start of the recording.'),
  to: recordingTime('csv, apng and marks: the last time. Default: the end of the recording.'),
  sprite: number('0-7', 'png and apng: a sprite instead of the screen.', { min: 0, max: 7 }),
  every: withDefault(
    number('N', 'apng: include every Nth frame; it plays at the recorded speed.', { min: 1, max: 1000 }),
    2,
  ),
  home: homeOption,
}

export const recordingExport = defineCommand({
  group,
  name: 'export',
  summary: 'Export a recording as CSV, raw bytes, PNG or animated PNG, or its marks as CSV.',
  positionals: { recording: recordingId, file: required(filePath('The file to write.')) },
  options,
  data: { recording: 'its ID', path: 'absolute path', bytes: 'number', damages: '[{ from, to, message }]' },
  examples: [
    "recording export 0001_recording border.csv --format csv --address '$d020' --bank io",
    'recording export 0001_recording screen.png --format png --at +1',
    'recording export 0001_recording marks.csv --format marks',
  ],
  run: async (context, { recording, file, ...values }) => {
    const { session, start } = await openRecording(context, recording, values.home)
    const asked = { recording, path: file.path, request: exportRequest(values, start) }
    const stopProgress = session.client.onEvent('recorder.exported', ({ recording: exported, percent }) => {
      if (exported === recording) context.output.progress(percent / 100, `Exporting ${recording}`)
    })
    const { bytes, damages } = await session.client
      .call('recorder.exportTo', asked, context.signal)
      .finally(stopProgress)
    context.output.result(
      { recording, path: file.path, bytes, ...damageData(damages) },
      withDamages([`Saved ${bytes} bytes to ${file.written}.`], damages),
    )
    return EXIT_OK
  },
})

function exportRequest(
  { format, bank, every, samples, ...values }: Values<typeof options>,
  start: number,
): ExportRequest {
  const subject = values.sprite === undefined ? 'screen' : { sprite: values.sprite }
  const span = { from: values.from && timeIn(values.from, start), to: values.to && timeIn(values.to, start) }
  const address = () => requireValue(values.address, '--address')
  const time = () => timeIn(requireValue(values.at, '--at'), start)
  switch (format) {
    case 'csv': {
      const length = requireWithin(values.length ?? 1, '--length', { min: 1, max: MAX_CSV_LENGTH })
      return { format, space: bank, address: address(), length, rows: samples ? 'samples' : 'changes', ...span }
    }
    case 'raw':
      return { format, space: bank, address: address(), length: values.length ?? 256, time: time() }
    case 'marks':
      return { format, ...span }
    case 'png':
      return { format, subject, time: time() }
    case 'apng':
      return { format, subject, ...span, every }
  }
}
