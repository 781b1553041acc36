import { describe, expect, it } from 'vitest'
import { readOscar64Debug } from './oscar64Debug'

const sample = `{	"memory": [		{"name": "startup", "xname": "startup", "start": 2049, "end": 2131, "type": "NATIVE_CODE", "source": "include/crt.c", "line": 70 },
		{"name": "main", "xname": "main()->i16", "start": 2176, "end": 2200, "type": "NATIVE_CODE", "source": "src/main.c", "line": 3 },
		{"name": "BSSStart", "xname": "BSSStart", "start": 2300, "end": 2300, "type": "START", "source": "include/crt.c", "line": 21 },
		{"name": "counter", "xname": "counter", "start": 2300, "end": 2302, "type": "BSS", "source": "src/main.c", "line": 1 }],
	"variables": [],
	"functions": [
		{"name": "main", "xname": "main()->i16", "start": 2176, "end": 2200, "typeid": 5, "source": "src/main.c", "line": 3, "lines": [
			{"start": 2176, "end": 2180, "source": "src/main.c", "line": 4},
			{"start": 2180, "end": 2200, "source": "src/main.c", "line": 5}], "variables":[], "references": []}
	],
	"types": [
		{"name": "", "typeid": 0, "size": 2, "type": "ptr", eid: 14},
		{"name": "", "typeid": 1, "size": 2, "type": "int"}	]}`

describe('an Oscar64 debug file', () => {
  it('has objects with their size, and source lines, though its types are no JSON', () => {
    const { labels, lines, problem } = readOscar64Debug(sample)
    expect(labels.map(({ name, address, size, kind }) => `${name} ${address} ${size} ${kind}`)).toEqual([
      'startup 2049 82 code',
      'main 2176 24 code',
      'BSSStart 2300 null label',
      'counter 2300 2 data',
    ])
    expect(lines).toEqual([
      { file: 'src/main.c', line: 4, start: 2176, end: 2180 },
      { file: 'src/main.c', line: 5, start: 2180, end: 2200 },
    ])
    expect(problem).toBeNull()
  })

  it('leaves out what is no object', () => {
    const { labels, problem } = readOscar64Debug('{"memory": [{"name": "a", "start": 1, "end": 2}, 7, {"name": 3}]}')
    expect(labels).toHaveLength(1)
    expect(problem).toBe('2 entries were left out, the first at memory[1]: expected { name, start, end, type }.')
  })

  it('is refused where it is cut off', () => {
    expect(() => readOscar64Debug(sample.slice(0, 300))).toThrow('This is no complete Oscar64 debug file')
  })
})
