/**
 * Records frames as fast as the disk takes them, until it is killed or the disk takes no more:
 * `node … recordingProcess.ts WORKER FILE`. Prints a line of JSON for each batch that is on disk.
 */
import { Recorder } from '../../src-main/recorder/recorder'
import { numberedFrame } from '../support/numberedFrames'

const BATCH = 20

const [, , worker = '', path = ''] = process.argv
const recorder = new Recorder(worker)
const recording = await recorder.open(path)
const { frames: before } = recording.state
for (let number = before; recording.state.failure === null;) {
  for (let added = 0; added < BATCH; added++) recording.append(numberedFrame(number++))
  // What is asked of an open recording is asked of what is on disk.
  await recorder.query('info', { path })
  process.stdout.write(`${JSON.stringify(recording.state)}\n`)
}
await recorder.close()
