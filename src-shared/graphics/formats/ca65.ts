import { sourceFormat } from '../source/writeSource'

export const ca65 = sourceFormat({
  id: 'ca65',
  title: 'cc65 (ca65)',
  extensions: ['s', 'inc', 'asm'],
  sign: /^[^;\n]*\.byte?\b/im,
  comment: ';',
  hex: '$',
  binary: '%',
  constant: (name, value) => `${name} = ${value}`,
  label: (name) => `${name}:`,
  bytes: (values) => `    .byte ${values}`,
})
