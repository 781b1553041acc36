import { afterEach, describe, expect, it, vi } from 'vitest'
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

  it.each([
    ['{reverse on}{RVS OFF}{light blue}{Dark Gray}{cls}', '12929a9793'],
    ['{down*3}{2 left}{space:4}{3 SPACES}', '1111119d9d20202020202020'],
    ['{cm a}{CBM-@}{c=+*}{shift-A}{SHIFT +}{sh pound}', 'b0a4dfc1dba9'],
    ['{pound}{arrow left}{pi}', '5c5fff'],
  ])('takes the names of magazines and other tools: %s', (text, hex) => {
    expect(hexOf(`1 ?"${text}`)).toContain(`9922${hex}00`)
  })

  it('repeats no code more often than a line is long', () => {
    expect(hexOf('1 ?"{down*999}"')).toMatch(/^1: “{down\*999}” is no control code/)
    expect(hexOf('1 ?"{down*0}"')).toBe(hexOf('1 ?""'))
  })

  it('is refused with the line of the text and what is wrong with it', () => {
    expect(hexOf('print "hi"\n70000 end\n10\n20 ?"{nothing}"')).toBe(
      [
        '1: “print "hi"” does not begin with a line number.',
        '2: Line numbers go up to 63999, not 70000.',
        '3: Line 10 has no statement.',
        '4: “{nothing}” is no control code, such as {clr}, {$93}, {down*3} or {CBM-A}.',
      ].join('\n'),
    )
    expect(hexOf(`10 ?"${'x'.repeat(300)}"`)).toBe('1: Line 10 takes more than 250 bytes.')
    expect(hexOf('\n')).toBe('1: There is no line of BASIC.')
  })

  it.each(['#C64Studio.MetaData.BASIC:2049,BASIC V2', '#RetroDevStudio.MetaData.BASIC:$0801,BASIC V2,uppercase,10,10'])(
    'of C64Studio begins with a line about it: %s',
    (header) => {
      expect(hexOf(`${header}\r\n10 ?"Hi"\r\n`)).toBe(hexOf('10 ?"hi"'))
      expect(hexOf(`${header}\r\n10 ?"hi\r\nx`)).toBe('3: “x” does not begin with a line number.')
      expect(hexOf(`10 end\n${header}`)).toMatch(/^2: “#/)
    },
  )

  it('of C64Studio in lower case has capitals with SHIFT; one in another BASIC is refused', () => {
    const header = '#C64Studio.MetaData.BASIC:2049'
    expect(hexOf(`${header},BASIC V2,lowercase\n10 print"Hi"`)).toContain('22c84922')
    expect(hexOf(`${header},BASIC V3.5\n10 sound`)).toBe('1: The text is in “BASIC V3.5”; only BASIC V2 is read.')
  })

  it('is read from any memory without going round in circles', () => {
    expect(listBasic(() => 0x08, BASIC_START)).toHaveLength(1)
    expect(listBasic(() => 0xff, BASIC_START)).toHaveLength(1)
    expect(listBasic((at) => (at === BASIC_START + 1 ? 0x08 : 0x01), BASIC_START)).toEqual([])
  })
})

describe('hostile BASIC text', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  /** How often a part of the text, whatever its length, is cut out or looked at. */
  const stepsOf = (text: string): number => {
    const spies = [
      vi.spyOn(String.prototype, 'slice'),
      vi.spyOn(String.prototype, 'startsWith'),
      vi.spyOn(String.prototype, 'codePointAt'),
      vi.spyOn(RegExp.prototype, 'exec'),
    ]
    tokenise(text)
    const steps = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
    vi.restoreAllMocks()
    return steps
  }

  it.each([
    ['a long line', 'a'],
    ['control codes', '{clr}'],
    ['brackets', '('],
    ['open braces', '{'],
    ['emoji', '😀'],
  ])('of one line with %s is read up to the bytes that fit, however long it is', (_, part) => {
    const line = (count: number) => `10 print"${part.repeat(count)}`
    expect(stepsOf(line(4000))).toBe(stepsOf(line(1000)))
    expect(tokenise(line(4000))).toMatchObject({ ok: false })
  })

  it('of lines that are none is read up to the twentieth', () => {
    expect(stepsOf('x\n'.repeat(4000))).toBe(stepsOf('x\n'.repeat(1000)))
  })

  it.each([
    ['of many lines', (count: number) => Array.from({ length: count }, (_, n) => `${n} end`).join('\n')],
    ['of empty lines', (count: number) => '\n'.repeat(count)],
  ])('%s takes twice the steps for twice the lines', (_, textOf) => {
    expect(stepsOf(textOf(2000))).toBeLessThanOrEqual(2 * stepsOf(textOf(1000)) + 10)
  })
})
