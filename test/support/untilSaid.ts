import type { ChildProcess } from 'node:child_process'

/** Resolves once a program has printed a text on its standard error, and rejects where it ends without. */
export function untilSaid({ stderr }: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    stderr?.on('data', (chunk: string) => {
      said += chunk
      if (said.includes(text)) resolve()
    })
    stderr?.on('end', () => reject(new Error(`It ended without “${text}”: ${said}`)))
  })
}
