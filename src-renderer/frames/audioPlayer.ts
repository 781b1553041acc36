import type { FromWorklet, ToWorklet } from './audioMessages'
import workletAddress from './audioWorklet?worker&url'

export class AudioPlayer {
  readonly #context: AudioContext
  readonly #gain: GainNode
  readonly #node: AudioWorkletNode

  /** Rejects where there is no sound card, or Chromium cannot use it. */
  static async open(onReport: (report: FromWorklet) => void): Promise<AudioPlayer> {
    const context = new AudioContext({ latencyHint: 'interactive' })
    await context.audioWorklet.addModule(workletAddress)
    return new AudioPlayer(context, onReport)
  }

  private constructor(context: AudioContext, onReport: (report: FromWorklet) => void) {
    this.#context = context
    this.#gain = new GainNode(context)
    this.#node = new AudioWorkletNode(context, 'player', { numberOfInputs: 0, outputChannelCount: [2] })
    this.#node.port.onmessage = ({ data }: MessageEvent<FromWorklet>) => onReport(data)
    this.#node.connect(this.#gain).connect(context.destination)
  }

  play(samples: Int16Array, rate: number): void {
    this.#post({ samples, rate })
  }

  setVolume(volume: number): void {
    this.#gain.gain.value = volume
  }

  async pause(): Promise<void> {
    this.#post('clear')
    await this.#context.suspend()
  }

  async resume(): Promise<void> {
    this.#post('clear')
    await this.#context.resume()
  }

  #post(message: ToWorklet): void {
    this.#node.port.postMessage(message)
  }
}
