import { describe, expect, it } from 'vitest'
import { exactCopies, sizeOf } from './exactCopies'

describe('exact copies', () => {
  it('leave no byte of a view’s backing buffer behind it', () => {
    const shared = new Uint8Array(1024).fill(7)
    const copy = exactCopies({ deep: [{ view: shared.subarray(10, 20) }], pooled: Buffer.from('hello') }) as {
      deep: [{ view: Uint8Array }]
      pooled: Uint8Array
    }
    for (const bytes of [copy.deep[0].view, copy.pooled]) expect(bytes.buffer.byteLength).toBe(bytes.byteLength)
    expect(copy.deep[0].view).toEqual(new Uint8Array(10).fill(7))
    expect(Buffer.isBuffer(copy.pooled)).toBe(false)
    expect(new TextDecoder().decode(copy.pooled)).toBe('hello')
  })

  it('are of samples too', () => {
    const samples = new Int16Array(100).fill(-7).subarray(10, 20)
    const copy = exactCopies({ samples }) as { samples: Int16Array }
    expect(copy.samples).toEqual(new Int16Array(10).fill(-7))
    expect(copy.samples.buffer.byteLength).toBe(20)
  })

  it('do not copy what is exact already, and keep everything else', () => {
    const bytes = new Uint8Array(4)
    const value = { bytes, list: [1, 'two', null, true], nothing: undefined }
    const copy = exactCopies(value) as typeof value
    expect(copy).toEqual(value)
    expect(copy.bytes).toBe(bytes)
  })
})

describe('the size of a value', () => {
  it('counts text, bytes with what backs them, and keys', () => {
    expect(sizeOf('a'.repeat(100), 10_000)).toBeGreaterThanOrEqual(200)
    expect(sizeOf({ bytes: new Uint8Array(5000).subarray(0, 1) }, 10_000)).toBeGreaterThanOrEqual(5000)
    expect(sizeOf({ ['k'.repeat(100)]: 1 }, 10_000)).toBeGreaterThanOrEqual(200)
  })

  it('stops counting once it is past the limit', () => {
    expect(sizeOf(new Array(1_000_000).fill(0), 1_000)).toBeGreaterThan(1_000)
    expect(sizeOf(new Map(), 1_000)).toBe(Infinity)
  })

  it('ends with a value that holds itself', () => {
    const value: { self?: unknown } = {}
    value.self = value
    expect(sizeOf(value, 1_000)).toBeGreaterThan(1_000)
  })
})
