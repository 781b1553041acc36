import { AUDIO_CREDITS, parseAudioRequest, type AudioDelivery, type AudioRequest } from '@shared/contract/audio'
import type { AudioBlock } from '../machine/facets'
import type { Line } from '../rpc/transport'
import { CreditPort, type Credit } from './creditPort'

export interface AudioSource {
  subscribeAudio(machine: string, listener: (block: AudioBlock) => void): () => void
}

/** The oldest waiting block is dropped, so that after a stall the page plays the newest. */
const MAX_WAITING_BLOCKS = AUDIO_CREDITS

export class AudioPort {
  readonly #port: CreditPort<Exclude<AudioRequest, Credit>>
  #waiting: Omit<AudioDelivery, 'dropped'>[] = []
  #dropped = 0

  constructor(line: Line, source: AudioSource, log: (message: string, error: unknown) => void) {
    this.#port = new CreditPort<Exclude<AudioRequest, Credit>>(line, {
      credits: AUDIO_CREDITS,
      parse: parseAudioRequest,
      onRequest: ({ machine }) => {
        if (machine === null) this.#port.unsubscribe()
        else this.#port.subscribe(`sound of ${machine}`, () => this.#listen(source, machine))
      },
      next: () => this.#next(),
      clear: () => {
        this.#waiting = []
        this.#dropped = 0
      },
      log,
    })
  }

  close(): void {
    this.#port.close()
  }

  #listen(source: AudioSource, machine: string): () => void {
    return source.subscribeAudio(machine, ({ rate, samples }) => {
      this.#waiting.push({ kind: 'audio', machine, rate, samples })
      this.#port.flush()
      if (this.#waiting.length <= MAX_WAITING_BLOCKS) return
      this.#waiting.shift()
      this.#dropped++
    })
  }

  #next(): AudioDelivery | undefined {
    const block = this.#waiting.shift()
    return block && { ...block, dropped: this.#dropped }
  }
}
