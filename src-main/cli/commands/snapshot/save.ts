import { defineCommand, type CommandContext } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine, recordingTime, requireValue, text, timeIn, type RecordingTime } from '../../parameters'
import type { Session } from '../../session'
import { openRecording } from '../recording/about'
import { name, replace, snapshotData, snapshotGroup as group, snapshotShape } from './group'

export const snapshotSave = defineCommand({
  group,
  name: 'save',
  summary: 'Save the memory of a machine under a name.',
  details:
    'The machine is stopped while it is read, if it can be, so that all bytes are of one moment. With --recording, what a recording knows of one moment is saved.',
  positionals: { name: name('What to call it.') },
  options: {
    replace,
    machine: machine('The machine.'),
    recording: text('ID', 'A recording in place of the machine.'),
    at: recordingTime('The moment of the recording.'),
  },
  data: { snapshot: snapshotShape },
  examples: [
    'snapshot save before',
    'snapshot save "level 3" --machine vice:6502 --replace',
    'snapshot save "frame 12" --recording 0001_recording --at +1',
  ],
  run: async (context, { name, replace: replaces, machine, recording, at }) => {
    const { output, signal } = context
    const { session, ...taken } =
      recording === undefined
        ? await fromMachine(context, machine)
        : await fromRecording(context, recording, requireValue(at, '--at'))
    const snapshot = await session.client.call('snapshots.save', { name, of: taken.of, replaces }, signal)
    output.result({ snapshot: snapshotData(snapshot) }, `Saved the memory of ${snapshot.source} as ${name}.`)
    return EXIT_OK
  },
})

async function fromMachine({ openSession, signal }: CommandContext, machine: string) {
  const session: Session = await openSession()
  await session.connectLasting(machine, signal)
  return { session, of: { machine } }
}

async function fromRecording(context: CommandContext, recording: string, at: RecordingTime) {
  const { session, start } = await openRecording(context, recording, undefined)
  return { session, of: { recording, time: timeIn(at, start) } }
}
