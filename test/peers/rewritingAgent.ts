/**
 * A process that rewrites whole files as agents do: it reads one, and some time later writes all of it again with a line of its
 * own at the end, without a look at what came in between. Asked and answered by messages of its parent.
 */
import { open, readFile, rename, writeFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

export interface Rewrite {
  readonly id: number
  readonly path: string
  /** The line that it adds. */
  readonly note: string
  /** ms. */
  readonly delay: number
  /** Whether it reads before the delay or after it. */
  readonly reads: 'before' | 'after'
  /** A file renamed over it; or the file emptied and written, in one piece or in two. */
  readonly writes: 'renamed' | 'at once' | 'in pieces'
}

process.on('message', (rewrite: Rewrite) => {
  void carryOut(rewrite).then(() => process.send?.(rewrite.id))
})

async function carryOut({ path, note, delay, reads, writes }: Rewrite): Promise<void> {
  const early = reads === 'before' ? await readFile(path, 'utf8') : undefined
  await wait(delay)
  const text = `${early ?? (await readFile(path, 'utf8'))}${note}\n`
  if (writes === 'renamed') {
    await writeFile(`${path}.new`, text)
    await rename(`${path}.new`, path)
  } else if (writes === 'at once') await writeFile(path, text)
  else {
    const file = await open(path, 'w')
    await file.write(text.slice(0, text.length / 2))
    await wait(Math.random() * 3)
    await file.write(text.slice(text.length / 2))
    await file.close()
  }
}
