import { AUDIO_CREDITS, parseAudioRequest, type AudioDelivery } from '@shared/contract/audio'
import type { AudioBlock } from '../machine/facets'
import type { Line } from '../rpc/transport'

export interface AudioSource {
  /** Called for each block of the machine's sound until the returned function is called. */
  subscribeAudio(machine: string, listener: (block: AudioBlock) => void): () => void
}

/** Blocks that wait for a credit; the oldest gives way, so that what is heard after a jam is what was played last. */
const MOST_WAITING = AUDIO_CREDITS

/** One consumer of sound: blocks in order, no more under way than it has credits, what must be dropped is counted. */
export class AudioPort {
  readonly #line: Line
  readonly #source: AudioSource
  readonly #log: (message: string, error: unknown) => void
  #stopHearing: (() => void) | undefined
  #credits = AUDIO_CREDITS
  #waiting: Omit<AudioDelivery, 'dropped'>[] = []
  #dropped = 0

  constructor(line: Line, source: AudioSource, log: (message: string, error: unknown) => void) {
    this.#line = line
    this.#source = source
    this.#log = log
    line.onMessage((message) => this.#onMessage(message))
    line.onClose(() => this.#stop())
  }

  close(): void {
    this.#stop()
    this.#line.close()
  }

  #onMessage(message: unknown): void {
    const request = parseAudioRequest(message)
    switch (request?.kind) {
      case 'credit':
        this.#credits = Math.min(AUDIO_CREDITS, this.#credits + 1)
        this.#flush()
        break
      case 'hear':
        this.#stop()
        if (request.machine !== null) this.#hear(request.machine)
        break
      case undefined:
        break
    }
  }

  #stop(): void {
    this.#stopHearing?.()
    this.#stopHearing = undefined
    this.#waiting = []
    this.#dropped = 0
  }

  #hear(machine: string): void {
    try {
      this.#stopHearing = this.#source.subscribeAudio(machine, ({ rate, samples }) => {
        this.#waiting.push({ kind: 'audio', machine, rate, samples })
        this.#flush()
        if (this.#waiting.length <= MOST_WAITING) return
        this.#waiting.shift()
        this.#dropped++
      })
    } catch (error) {
      this.#log(`No sound of ${machine}`, error)
    }
  }

  #flush(): void {
    while (this.#credits > 0) {
      const block = this.#waiting.shift()
      if (!block) return
      this.#credits--
      this.#line.post({ ...block, dropped: this.#dropped } satisfies AudioDelivery)
    }
  }
}
