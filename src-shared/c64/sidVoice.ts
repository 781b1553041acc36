/** Facts are from the SID's data sheet. */
import { chips } from './chips'
import { attackTimes } from './registers'
import { ioByte } from './video'

export const waveforms = ['triangle', 'sawtooth', 'pulse', 'noise'] as const
export type Waveform = (typeof waveforms)[number]

export interface SidVoice {
  readonly waveforms: readonly Waveform[]
  readonly isGateOn: boolean
  /** High part of a period, 0 to 1. */
  readonly pulseWidth: number
  /** ms at 1 MHz; decay and release until the level is practically reached. */
  readonly attack: number
  readonly decay: number
  readonly sustain: number
  readonly release: number
}

/** Both 0 to 1, the highest level at 1. */
export interface Point {
  readonly x: number
  readonly y: number
}

const REGISTERS_OF_VOICE = 7
const first = { pulseLow: 2, pulseHigh: 3, control: 4, attackDecay: 5, sustainRelease: 6 } as const

export function sidVoice(io: Uint8Array, voice: number): SidVoice {
  const read = (register: keyof typeof first): number =>
    ioByte(io, chips.sid.start + voice * REGISTERS_OF_VOICE + first[register])
  const time = (nibble: number): number => attackTimes[nibble & 0x0f] ?? 0
  const control = read('control')
  return {
    waveforms: waveforms.filter((_, index) => ((control >> (index + 4)) & 1) === 1),
    isGateOn: (control & 1) === 1,
    pulseWidth: (read('pulseLow') | ((read('pulseHigh') & 0x0f) << 8)) / 0x1000,
    attack: time(read('attackDecay') >> 4),
    decay: time(read('attackDecay')) * 3,
    sustain: (read('sustainRelease') >> 4) / 15,
    release: time(read('sustainRelease')) * 3,
  }
}

/** Points of a noise's period; its own shape is random. */
const NOISE_STEPS = 24

/** Two periods. Combined waveforms differ by SID model: the lowest of them is shown, which comes near. */
export function waveformPoints({
  waveforms,
  pulseWidth,
}: Pick<SidVoice, 'waveforms' | 'pulseWidth'>): readonly Point[] {
  if (waveforms.length === 0) return [0, 1].map((x) => ({ x, y: 0.5 }))
  const edges = [0, ...[0.25, 0.5, 0.75].flatMap((x) => [x, x]), 1]
  const widths = [pulseWidth / 2, pulseWidth / 2, (1 + pulseWidth) / 2, (1 + pulseWidth) / 2]
  const steps = waveforms.includes('noise')
    ? Array.from({ length: NOISE_STEPS }, (_, step) => step / NOISE_STEPS).flatMap((x) => [x, x])
    : []
  return [...edges, ...widths, ...steps]
    .toSorted((a, b) => a - b)
    .map((x, index, all) => {
      // Where two points stand at one place, the first is the level before it, the second the level after it.
      const isBefore = all[index + 1] === x || x === 1
      return { x, y: Math.min(...waveforms.map((waveform) => levelAt(waveform, x, isBefore, pulseWidth))) }
    })
}

function levelAt(waveform: Waveform, x: number, isBefore: boolean, pulseWidth: number): number {
  const whole = (x * 2) % 1
  const phase = whole === 0 && isBefore && x > 0 ? 1 : whole
  switch (waveform) {
    case 'triangle':
      return phase < 0.5 ? phase * 2 : 2 - phase * 2
    case 'sawtooth':
      return phase
    case 'pulse':
      return phase < pulseWidth || (phase === pulseWidth && isBefore) ? 1 : 0
    case 'noise':
      return noiseLevel(Math.round(x * NOISE_STEPS) - (isBefore ? 1 : 0))
  }
}

/** Always the same, so that the picture stands still. */
const noiseLevel = (step: number): number => (((step + 1) * 37) % 23) / 22

/** The gate is on until here, so that the sustained level can be seen. */
const SUSTAIN_PART = 0.25
/** A decay falls as an exponential: its level after so much of its time, in points that make a curve. */
const FALL = [0.25, 0.5, 0.75, 1] as const

/** Times are drawn on a logarithmic scale: they go from 2 ms to 24 s. */
export function envelopePoints({ attack, decay, sustain, release }: SidVoice): readonly Point[] {
  const [a, d, r] = [attack, decay, release].map((ms) => Math.log2(1 + ms))
  const sum = (a ?? 0) + (d ?? 0) + (r ?? 0)
  const width = (part: number | undefined): number => ((part ?? 0) / sum) * (1 - SUSTAIN_PART)
  const peak = width(a)
  const settled = peak + width(d)
  const released = settled + SUSTAIN_PART
  return [
    { x: 0, y: 0 },
    ...fall({ x: peak, y: 1 }, { x: settled, y: sustain }),
    ...fall({ x: released, y: sustain }, { x: 1, y: 0 }),
  ]
}

const fall = (from: Point, to: Point): Point[] => [
  from,
  ...FALL.map((part) => ({
    x: from.x + (to.x - from.x) * part,
    y: part === 1 ? to.y : to.y + (from.y - to.y) * Math.exp(-4 * part),
  })),
]
