/** Facts are from the SID's data sheet. */
import type { VideoStandard } from '../contract/machine'
import { chips } from './chips'
import { clockRates } from './registers'
import { waveforms, type Waveform } from './sidVoice'

const MAX_FREQUENCY = 0xffff
const REGISTERS_OF_VOICE = 7
const GATE = 1

const steps: Readonly<Record<string, number>> = { c: 0, d: 2, e: 4, f: 5, g: 7, a: 9, b: 11 }

/** `A4`, `C#3`, `Bb5` or a frequency in Hz; null for anything else. A4 is 440 Hz. */
export function noteFrequency(note: string): number | null {
  const [, letter, accidental, octave] = /^([a-g])([#b]?)([0-8])$/i.exec(note.trim()) ?? []
  if (letter === undefined) return /^\d+(\.\d+)?$/.test(note.trim()) ? Number(note) : null
  const shift = accidental === '#' ? 1 : accidental === '' ? 0 : -1
  const semitones = (steps[letter.toLowerCase()] ?? 0) + shift + 12 * (Number(octave) - 4) - 9
  return 440 * 2 ** (semitones / 12)
}

export function frequencyValue(hertz: number, standard: VideoStandard): number | null {
  const value = Math.round((hertz * 0x100_0000) / clockRates[standard])
  return value >= 1 && value <= MAX_FREQUENCY ? value : null
}

export interface SidNote {
  readonly voice: number
  readonly frequency: number
  readonly waveform: Waveform
  /** High part of a period, 0 to 4095. */
  readonly pulseWidth: number
  /** 0 to 15 each: attack, decay, sustain, release. */
  readonly envelope: readonly [attack: number, decay: number, sustain: number, release: number]
}

export const voiceStart = (voice: number): number => chips.sid.start + (voice - 1) * REGISTERS_OF_VOICE
export const CONTROL = 4

export function noteBytes({ frequency, waveform, pulseWidth, envelope }: SidNote): {
  readonly registers: Uint8Array
  readonly gateOn: number
  readonly gateOff: number
} {
  const [attack, decay, sustain, release] = envelope
  const gateOff = 0x10 << waveforms.indexOf(waveform)
  return {
    registers: Uint8Array.of(
      frequency & 0xff,
      frequency >> 8,
      pulseWidth & 0xff,
      pulseWidth >> 8,
      gateOff,
      (attack << 4) | decay,
      (sustain << 4) | release,
    ),
    gateOn: gateOff | GATE,
    gateOff,
  }
}
