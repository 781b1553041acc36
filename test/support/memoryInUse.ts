import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes, heap and buffers, that are in use once all garbage is collected. */
export function memoryInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc()')
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
