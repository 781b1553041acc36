import { describe, expect, it } from 'vitest'
import { assembleSource } from './assembleSource'

const hexOf = (source: string): string => {
  const result = assembleSource(source)
  if (!result.ok) throw new Error(result.problems.map(({ line, message }) => `${line}: ${message}`).join('\n'))
  return Buffer.from(result.program.prg).toString('hex')
}
const problemsOf = (source: string): string[] => {
  const result = assembleSource(source)
  return result.ok ? [] : result.problems.map(({ line, message }) => `${line}: ${message}`)
}

describe('a source', () => {
  it('without an origin gets a BASIC line that starts it', () => {
    // 10 SYS 2062: the code lies right behind it.
    expect(hexOf('  lda #2\n  sta $d020\n  rts')).toBe('01080c080a009e20323036320000' + '00' + 'a9028d20d060')
  })

  it.each([
    ['ACME', '*=$c000\nstart lda #<text\n ldy #>text\n bne .end\n.end rts\ntext !pet "A",0'],
    ['64tass', '* = $c000\nstart: lda #<text\n ldy #>text\n bne _end\n_end: rts\ntext: .byte $c1,0'],
    ['KickAssembler', '* = $c000 "main"\nstart: lda #<text\n ldy #>text\n bne end\nend: rts\ntext: .byte $c1,0 // two'],
    ['ca65', '.org $c000\nstart: lda #<text\n ldy #>text\n bne @end\n@end: rts\ntext: .byte $c1, 0 ; two'],
    ['dasm', ' processor 6502\n org $c000\nstart lda #<text\n ldy #>text\n bne .end\n.end rts\ntext dc.b $c1,0'],
  ])('is read in the spelling of %s', (_, source) => {
    expect(hexOf(source)).toBe('00c0' + 'a907' + 'a0c0' + 'd000' + '60' + 'c100')
  })

  it('takes the short form for what is known and below $0100, and the long one for labels that come later', () => {
    expect(hexOf('*=$c000\nptr=$fb\n lda ptr\n lda (ptr),y\n lda later\n lda $00fb\nlater=$fc')).toBe(
      '00c0a5fbb1fbadfc00adfb00',
    )
  })

  it('computes with labels, brackets, bytes of words, characters and the place where it stands', () => {
    const values = "1+2*3,(1+2)*3,<$1234,>$12ff+1,%101&4|1,'a',-1,10/3,1<<3"
    expect(hexOf(`*=$1000\n.byte ${values}\n.word *,end-*\nend:`)).toBe('0010' + '070934130541ff0308' + '0910' + '0400')
  })

  it('has labels without a name, and labels that are known between two others only', () => {
    const source = '*=$c000\none\n-  dex\n   bne -\n   beq +\n.loop jmp .loop\n+\ntwo\n.loop jmp .loop\n-  bne -'
    expect(hexOf(source)).toBe('00c0' + 'ca' + 'd0fd' + 'f003' + '4c05c0' + '4c08c0' + 'd0fe')
  })

  it('fills, aligns, and leaves 0 between two origins', () => {
    expect(hexOf('*=$1000\n.fill 2,$ea\n.align 4\n.byte 1\n*=$1008\n.text "Hi"')).toBe(
      '0010' + 'eaea0000' + '01000000' + '4849',
    )
  })

  it('writes texts in PETSCII as typed or as written, in screen codes, and in ASCII', () => {
    expect(hexOf('*=$1000\n.text "aB"\n!pet "aB"\n!scr "aB"\n.ascii "aB"\n.null "a"')).toBe(
      '0010' + '4142' + '41c2' + '0102' + '6142' + '4100',
    )
  })

  it('tells which line made which bytes, and where its labels are', () => {
    const result = assembleSource('*=$c000\nmain\n nop\n jmp main')
    expect(result).toMatchObject({
      ok: true,
      program: {
        start: 0xc000,
        end: 0xc004,
        labels: [{ name: 'main', address: 0xc000 }],
        lines: [
          { line: 3, address: 0xc000, length: 1 },
          { line: 4, address: 0xc001, length: 3 },
        ],
      },
    })
  })

  it('is refused with each line and what is wrong with it', () => {
    expect(problemsOf('*=$c000\n lda #$100\n foo bar\n.macro x\n jmp nowhere\n jmp foo')).toEqual([
      '2: LDA takes one byte there, $00 to $FF, not $0100.',
      '3: “bar” is no instruction and no directive.',
      '4: “.macro” is no instruction and no directive.',
      '5: There is no label nowhere.',
    ])
    expect(problemsOf('bar baz\n.macro x')).toHaveLength(2)
    expect(problemsOf('*=$c000\n lda #$100\n jmp nowhere\na:\na:\n .byte 256\n bne a+200\n lda 1+')).toEqual([
      '2: LDA takes one byte there, $00 to $FF, not $0100.',
      '3: There is no label nowhere.',
      '5: The label a is there twice.',
      '6: 256 is no byte: -128 to 255.',
      expect.stringMatching(/^7: .* too far for a branch\.$/) as string,
      '8: A value is missing.',
    ])
    expect(problemsOf('')).toEqual(['1: The source makes no bytes.'])
    expect(problemsOf('*=$c000\n nop\n*=$c000\n nop')).toEqual(['4: Something stands at $C000 already.'])
    expect(problemsOf('*=$ffff\n .word 1')).toEqual(['2: It goes past the end of memory ($FFFF).'])
    expect(problemsOf(` .byte ${'('.repeat(1000)}`)).toHaveLength(1)
  })

  it('finds labels without a name in a source of tens of thousands of lines soon', () => {
    const source = `*=$1000\n${'- nop\n bne -\n'.repeat(9_000)} bne +\n+ rts`
    expect(assembleSource(source)).toMatchObject({ ok: true, program: { end: 0x1000 + 9_000 * 3 + 3 } })
  })
})
