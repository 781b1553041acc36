import { connect } from 'node:net'

/** Writes a snapshot of a running VICE, by the command 0x41 of its binary monitor: neither ROMs nor disks, and the file's name. */
export function dumpSnapshot(port: number, path: string): Promise<void> {
  const name = Buffer.from(path)
  const body = Buffer.concat([Buffer.of(0, 0, name.length), name])
  const head = Buffer.alloc(11)
  head.set([2, 2])
  head.writeUInt32LE(body.length, 2)
  head.writeUInt32LE(1, 6)
  head[10] = 0x41
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.concat([head, body])))
    let received = Buffer.alloc(0)
    socket.on('data', (part) => {
      received = Buffer.concat([received, part])
      const at = received.indexOf(Buffer.of(0x41, 0, 1, 0, 0, 0))
      if (at < 0) return
      socket.destroy()
      resolve()
    })
    socket.on('error', reject)
  })
}
