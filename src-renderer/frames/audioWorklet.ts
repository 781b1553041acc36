/** Runs on the browser's audio thread; built as a file of its own. */
import { AudioRing } from './audioRing'
import type { FromWorklet, ToWorklet } from './audioMessages'

// A global of the audio thread, which TypeScript's DOM library lacks.
declare const sampleRate: number
declare class AudioWorkletProcessor {
  readonly port: MessagePort
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void

/** In calls of `process`, not ms: every half second or so. */
const REPORT_MS = 200

class Player extends AudioWorkletProcessor {
  readonly #ring = new AudioRing(sampleRate)
  #calls = 0

  constructor() {
    super()
    this.port.onmessage = ({ data }: MessageEvent<ToWorklet>) => {
      if (data === 'clear') this.#ring.clear()
      else this.#ring.push(data.samples, data.rate)
    }
  }

  process(_inputs: Float32Array[][], [output]: Float32Array[][]): boolean {
    const [left, right] = output ?? []
    if (left && right) this.#ring.pull(left, right)
    if (++this.#calls % REPORT_MS === 0) {
      const { level, gaps, dropped } = this.#ring
      this.port.postMessage({ level, gaps, dropped } satisfies FromWorklet)
    }
    return true
  }
}

registerProcessor('player', Player)
