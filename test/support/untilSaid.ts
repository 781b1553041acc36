import type { ChildProcess } from 'node:child_process'

/** Resolves once a program has printed a text on one of its outputs, and rejects where it ends without. */
export function untilSaid(child: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: string | Buffer) => {
        said += chunk.toString()
        if (said.includes(text)) resolve()
      })
    child.once('close', () => reject(new Error(`It ended without “${text}”: ${said}`)))
  })
}
