import type { Page } from 'playwright'

declare global {
  interface Window {
    /** Resolves at the end of the next paint. */
    untilPainted(): Promise<void>
  }
}

/** Gives the page a function for what is measured within it. */
export const addUntilPainted = (page: Page): Promise<void> =>
  page.evaluate(() => {
    window.untilPainted = () =>
      new Promise((done) =>
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => done()
          port2.postMessage(null)
        }),
      )
  })
