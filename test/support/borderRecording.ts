import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Segment } from '@shared/contract/frames'
import { RecordingWriter } from '../../src-main/recorder/writer'
import { taskFileOf, thisProcess } from '../../src-main/tasks/entry'

/** A recording of ten seconds in a task home, made by a task that has ended: $D020 counts, ten times a second. */
export function recordBorder(home: string, id: string, start: number, alsoInEach: readonly Segment[] = []): void {
  const path = join(home, 'tasks/background', id)
  mkdirSync(path, { recursive: true })
  const entry = {
    id,
    name: 'recording',
    type: 'background',
    operation: 'record',
    args: {},
    status: 'stopped',
    folder: `tasks/background/${id}`,
  }
  writeFileSync(
    join(path, 'task.json'),
    JSON.stringify(taskFileOf(entry, entry.folder, { machine: 'builtin', owner: thisProcess(), revision: 3 })),
  )
  const writer = new RecordingWriter(join(path, 'recording.sqlite'))
  for (let seq = 0; seq < 100; seq++) {
    const segments = [{ space: 'io' as const, address: 0xd020, bytes: Uint8Array.of(seq, 7) }, ...alsoInEach]
    writer.append({ machine: 'builtin', epoch: 1, seq, time: start + seq * 100, segments })
  }
  writer.close()
}
