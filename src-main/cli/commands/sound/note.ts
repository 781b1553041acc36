import { setTimeout as wait } from 'node:timers/promises'
import { CONTROL, frequencyValue, noteBytes, noteFrequency, voiceStart } from '@shared/c64/sidNote'
import { waveforms } from '@shared/c64/sidVoice'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { stateOf } from '../../graphicsMemory'
import { choice, machine, number, required, text, withDefault } from '../../parameters'
import { UsageError } from '../../usageError'
import { LOUDEST, soundGroup as group, VOLUME } from './group'

const level = (name: string, help: string, fallback: number) =>
  withDefault(number(name, help, { min: 0, max: 15 }), fallback)
const RELEASE_DEADLINE_MS = 5_000

export const soundNote = defineCommand({
  group,
  name: 'note',
  summary: 'Play a note on a voice of the SID.',
  details:
    'It sounds until “sound off”, or for --hold. Sets the volume to 15 and the filter off; a program that plays itself writes over it.',
  positionals: { note: required(text('NOTE', 'Such as A4, C#3 or Bb5, or a frequency in Hz.')) },
  options: {
    voice: withDefault(number('VOICE', 'The voice.', { min: 1, max: 3 }), 1),
    waveform: withDefault(choice('WAVEFORM', 'How it sounds.', waveforms), 'triangle'),
    'pulse-width': withDefault(number('N', 'Of pulse; 2048 is half.', { min: 0, max: 4095 }), 2048),
    attack: level('N', 'How slowly it begins.', 0),
    decay: level('N', 'How slowly it falls to its sustained level.', 9),
    sustain: level('N', 'How loud it stays.', 15),
    release: level('N', 'How slowly it ends.', 4),
    hold: number('MS', 'End it after this many milliseconds.', { min: 20, max: 60_000 }),
    machine: machine('The machine.'),
  },
  data: { machine: 'the machine’s name', voice: '1 to 3', hertz: 'number', frequency: 'what the SID’s registers hold' },
  examples: ['sound note A4', 'sound note C3 --voice 2 --waveform pulse --hold 500'],
  run: async ({ output, signal, openSession }, { note, voice, waveform, hold, machine, ...values }) => {
    const hertz = noteFrequency(note)
    if (hertz === null)
      throw new UsageError(`NOTE is such as A4, C#3 or 440, not “${note.slice(0, 40)}”.`, 'sound note')
    const session = await openSession()
    await session.connectLasting(machine, signal)
    const frequency = frequencyValue(hertz, (await stateOf(session, machine, signal)).standard ?? 'pal')
    if (frequency === null)
      throw new UsageError(`The SID plays 0.1 to 3,900 Hz, not ${hertz.toFixed(0)} Hz.`, 'sound note')
    const envelope = [values.attack, values.decay, values.sustain, values.release] as const
    const { registers, gateOn, gateOff } = noteBytes({
      voice,
      frequency,
      waveform,
      envelope,
      pulseWidth: values['pulse-width'],
    })
    const start = voiceStart(voice)
    const write = (address: number, bytes: Uint8Array, during: AbortSignal) =>
      session.client.call('memory.write', { machine, space: 'io', address, bytes }, during)
    await write(VOLUME, Uint8Array.of(LOUDEST), signal)
    await write(start, registers, signal)
    await write(start + CONTROL, Uint8Array.of(gateOn), signal)
    if (hold !== undefined) {
      try {
        await wait(hold, undefined, { signal })
      } finally {
        await write(start + CONTROL, Uint8Array.of(gateOff), AbortSignal.timeout(RELEASE_DEADLINE_MS))
      }
    }
    output.result(
      { machine, voice, hertz, frequency },
      `Voice ${voice} ${hold === undefined ? 'plays' : 'played'} ${note} (${hertz.toFixed(1)} Hz).`,
    )
    return EXIT_OK
  },
})
