import { describe, expect, it } from 'vitest'
import { fullNameOf } from '@shared/c64/labels/programLabel'
import { readKickSymbols } from './kickSymbols'

const brief = (text: string) =>
  readKickSymbols(text).labels.map((label) => `${fullNameOf(label)} ${label.address.toString(16)} ${label.kind}`)

describe('a KickAssembler symbol file', () => {
  it('has labels, constants, and blocks for what is local', () => {
    const text = [
      '.label main=$810',
      '.label draw=$830 {',
      '  .label loop=$832',
      '}',
      '.namespace music {',
      '  .label init=$1000',
      '  .namespace inner {',
      '    .label play=$1003',
      '  }',
      '}',
      '.const WIDTH=40',
      '.label @shared=$c000',
      '',
    ].join('\r\n')
    expect(brief(text)).toEqual([
      'main 810 label',
      'draw 830 label',
      'draw.loop 832 label',
      'music.init 1000 label',
      'music.inner.play 1003 label',
      'WIDTH 28 constant',
      '@shared c000 label',
    ])
  })

  it('leaves out negative constants without a problem', () => {
    const { labels, problem } = readKickSymbols('.label a=$810\n.label OFFSET=$-1\n.const LEFT=-$28\n.const UP=-40')
    expect(labels.map(({ name }) => name)).toEqual(['a'])
    expect(problem).toBeNull()
  })

  it('keeps what can be read of a damaged one', () => {
    const { labels, problem } = readKickSymbols('.label a=$810\n.label b\n.label c=\n.label d=$99999\n.label e=$811')
    expect(labels.map(({ name }) => name)).toEqual(['a', 'e'])
    expect(problem).toBe('2 entries were left out, the first at line 3: expected “.label name=$0810”.')
  })

  it('keeps what stands before a sudden end', () => {
    const { labels, problem } = readKickSymbols('.label a=$810 {\n.label b=$811 {\n.label c=$812\n')
    expect(labels).toHaveLength(3)
    expect(problem).toBe('1 entry was left out, the first at its end: expected “}” after a.b.')
  })

  it('stops at blocks that are too deep', () => {
    expect(readKickSymbols(`.label a=$810\n${'.namespace n {\n'.repeat(1_000)}`).problem).toBe(
      '1 entry was left out, the first at line 22: blocks may be 20 deep.',
    )
  })
})
