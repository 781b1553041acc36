import { describe, expect, it } from 'vitest'
import { readKickDebug } from './kickDebug'

const head = `<C64debugger version="1.0">
   <Sources values="INDEX,FILE">
      0,KickAss.jar:/include/autoinclude.asm
      1,/home/me/a, b.asm
   </Sources>

   <Segment name="Default" dest="" values="START,END,FILE_IDX,LINE1,COL1,LINE2,COL2">
      <Block name="Basic">
         $0801,$080c,1,6,1,6,5
      </Block>
      <Block name="Code">
         $0810,$0811,1,9,5,9,7
         $0812,$0811,1,10,5,10,7
         $0812,$0814,7,11,5,11,7
      </Block>
   </Segment>
`
const tail = `   <Labels values="SEGMENT,ADDRESS,NAME,START,END,FILE_IDX,LINE1,COL1,LINE2,COL2">
      Default,$0810,main,1,1,1,9,1,9,5
      Default,$0812,main.loop
      Default
   </Labels>

   <Breakpoints values="SEGMENT,ADDRESS,ARGUMENT">
      Default,$0812,
   </Breakpoints>
   <Watchpoints values="SEGMENT,ADDRESS1,ADDRESS2,ARGUMENT"/>
</C64debugger>
`

describe('a KickAssembler debug file', () => {
  it('has labels, and source lines with their end included', () => {
    const { labels, lines } = readKickDebug(head + tail)
    expect(labels).toEqual([
      { name: 'main', scope: null, address: 0x810, size: null, kind: 'label' },
      { name: 'loop', scope: 'main', address: 0x812, size: null, kind: 'label' },
    ])
    expect(lines).toEqual([
      { file: '/home/me/a, b.asm', line: 6, start: 0x801, end: 0x80d },
      { file: '/home/me/a, b.asm', line: 9, start: 0x810, end: 0x812 },
    ])
  })

  it('of another tool has source lines without a block, and signs as XML has them', () => {
    const text = (head + tail).replaceAll(/ *<\/?Block.*\n/g, '').replace('a, b.asm', 'a &amp; b.asm')
    expect(readKickDebug(text).lines).toEqual([
      { file: '/home/me/a & b.asm', line: 6, start: 0x801, end: 0x80d },
      { file: '/home/me/a & b.asm', line: 9, start: 0x810, end: 0x812 },
    ])
  })

  it('says what is left out', () => {
    expect(readKickDebug(head + tail).problem).toBe(
      '2 entries were left out, the first at line 14: expected “$0810,$0812,1,7,…” with a file of <Sources>.',
    )
  })

  it('keeps what stands before a sudden end', () => {
    const { lines, problem } = readKickDebug(head.replace(/.*,7,11.*\n/, ''))
    expect(lines).toHaveLength(2)
    expect(problem).toBe('1 entry was left out, the first at its end: it ends before </C64debugger>.')
  })

  it('is refused where it ends at once', () => {
    expect(() => readKickDebug('<C64debugger version="1.0">\n')).toThrow('it ends before </C64debugger>')
  })
})
