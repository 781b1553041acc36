import { describe, expect, it } from 'vitest'
import { listBasic } from './list'
import { BASIC_START, tokenise } from './tokenise'

const hexOf = (text: string): string => {
  const result = tokenise(text)
  return result.ok
    ? Buffer.from(result.prg).toString('hex')
    : result.problems.map(({ line, message }) => `${line}: ${message}`).join('\n')
}
const listed = (text: string): string[] => {
  const result = tokenise(text)
  return result.ok ? listBasic((at) => result.prg[at - BASIC_START + 2] ?? 0, BASIC_START) : []
}

describe('BASIC text', () => {
  it('becomes a program at $0801, in the order of its line numbers', () => {
    expect(hexOf('20 goto 10\n10 PRINT "HI"')).toBe('0108' + '0c080a0099202248492200' + '150814008920313000' + '0000')
  })

  it('has the last of two lines with the same number', () => {
    expect(listed('10 end\n10 stop')).toEqual(['10 STOP'])
  })

  it('takes keywords as BASIC does: also within words, but not in texts, behind REM and in DATA', () => {
    const lines = [
      '10 IFA=BORC<>1THEN100',
      '20 ?"PRINT TO";:REM print to',
      '30 DATA READ,"A:B",GO:GOTO10',
      '40 X=SIN(π)↑2',
    ]
    expect(listed(lines.join('\n'))).toEqual([
      '10 IFA=BORC<>1THEN100',
      '20 PRINT"PRINT TO";:REM PRINT TO',
      ...lines.slice(2),
    ])
    expect(hexOf('1 ?^π')).toBe('0108' + '09080100' + '99aeff' + '00' + '0000')
  })

  it('takes control codes in braces, by name or number', () => {
    expect(hexOf('1 ?"{clr}{$05}{28}"')).toBe('0108' + '0c080100' + '99229305' + '1c22' + '00' + '0000')
    expect(listed('1 ?"{CLEAR}{white}{1}"')).toEqual(['1 PRINT"{clr}{wht}{$01}"'])
  })

  it('is refused with the line of the text and what is wrong with it', () => {
    expect(hexOf('print "hi"\n70000 end\n10\n20 ?"{nothing}"')).toBe(
      [
        '1: “print "hi"” does not begin with a line number.',
        '2: Line numbers go up to 63999, not 70000.',
        '3: Line 10 has no statement.',
        '4: “{nothing}” is no control code: {clr}, {$93} or {147}.',
      ].join('\n'),
    )
    expect(hexOf(`10 ?"${'x'.repeat(300)}"`)).toBe('1: Line 10 takes 303 bytes; 250 fit.')
    expect(hexOf('\n')).toBe('1: There is no line of BASIC.')
  })

  it('is read from any memory without going round in circles', () => {
    expect(listBasic(() => 0x08, BASIC_START)).toHaveLength(1)
    expect(listBasic(() => 0xff, BASIC_START)).toHaveLength(1)
    expect(listBasic((at) => (at === BASIC_START + 1 ? 0x08 : 0x01), BASIC_START)).toEqual([])
  })
})
