import type { Page } from 'playwright'

/** What the page saw of the frames since {@link recordFrames}. */
export interface FrameRecord {
  /** ms from the reading of the machine to the frame store having taken the frame, one per frame. */
  readonly latencies: number[]
  /** Bytes of memory in the frames, altogether. */
  readonly bytes: number
  /** When each picture had been taken and its frame read, ms since 1970, and its first byte, which tells a test's pictures apart. */
  readonly pictures: { readonly at: number; readonly time: number; readonly firstByte: number }[]
  /** Frames that were the newest when the window painted, and those that the next frame overtook before that. */
  readonly drawn: number
  readonly superseded: number
  /** As the bridge counts them. */
  readonly dropped: number
  /** When the first frame of each epoch had been taken, ms since 1970. */
  readonly epochs: { readonly epoch: number; readonly at: number }[]
  /** Tasks of the page's main thread over 50 ms: their durations. */
  readonly longTasks: number[]
}

declare global {
  interface Window {
    frameRecord: { -readonly [Key in keyof FrameRecord]: FrameRecord[Key] } & { pending: boolean }
    forgetFrames: () => void
  }
}

/**
 * Loads the page again with a recorder around the frame port's handler: the app itself is the one that was built,
 * without a hook for this.
 */
export async function recordFrames(page: Page): Promise<void> {
  await page.addInitScript(() => {
    // A page keeps the scripts of all calls.
    if (Reflect.has(window, 'frameRecord')) return
    const empty = () => ({
      latencies: [],
      bytes: 0,
      pictures: [],
      drawn: 0,
      superseded: 0,
      dropped: 0,
      epochs: [],
      longTasks: [],
      pending: false,
    })
    window.frameRecord = empty()
    window.forgetFrames = () => void (window.frameRecord = empty())

    interface Delivery {
      frame: { time: number; epoch: number; segments: { bytes: Uint8Array }[]; picture?: { pixels: Uint8Array } }
      dropped: number
    }
    const took = ({ frame, dropped }: Delivery) => {
      const record = window.frameRecord
      const at = performance.timeOrigin + performance.now()
      record.latencies.push(at - frame.time)
      for (const { bytes } of frame.segments) record.bytes += bytes.length
      if (frame.picture) record.pictures.push({ at, time: frame.time, firstByte: frame.picture.pixels[0] ?? 0 })
      record.dropped = dropped
      if (record.epochs.at(-1)?.epoch !== frame.epoch) record.epochs.push({ epoch: frame.epoch, at })
      if (record.pending) record.superseded += 1
      else
        requestAnimationFrame(() => {
          window.frameRecord.pending = false
          window.frameRecord.drawn += 1
        })
      record.pending = true
    }

    const found = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage')
    Object.defineProperty(MessagePort.prototype, 'onmessage', {
      ...found,
      set(this: MessagePort, handler: (event: MessageEvent) => void) {
        found?.set?.call(this, (event: MessageEvent<{ kind?: unknown } | null>) => {
          handler.call(this, event)
          // React's own ports send null.
          if (event.data?.kind === 'frame') took(event.data as unknown as Delivery)
        })
      },
    })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.frameRecord.longTasks.push(duration)
    }).observe({ entryTypes: ['longtask'] })
  })
  await page.reload()
}

export const readFrames = (page: Page): Promise<FrameRecord> => page.evaluate(() => window.frameRecord)

export const forgetFrames = (page: Page): Promise<void> => page.evaluate(() => window.forgetFrames())
