import { AppError } from '@shared/contract/errors'

/** Rejects with the signal's reason when the run goes on for `waitMs` after it. */
export async function endingWith<T>(run: Promise<T>, signal: AbortSignal, waitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  let onAbort = (): void => undefined
  const givenUp = new Promise<never>((_resolve, reject) => {
    onAbort = () => {
      timer = setTimeout(() => reject(signal.reason instanceof Error ? signal.reason : new Error('stopped')), waitMs)
    }
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([run, givenUp])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    // It may still fail when nobody waits for it any more.
    run.catch(() => undefined)
  }
}

export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const onAbort = () => reject(new AppError('CANCELLED', 'The task is no longer waited for.'))
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
  })
}
