import { sourceFormat } from '../source/writeSource'

export const acme = sourceFormat({
  id: 'acme',
  title: 'ACME',
  extensions: ['a', 'asm'],
  sign: /^[^;\n]*!(?:byte|by|08|8)\b/im,
  comment: ';',
  hex: '$',
  binary: '%',
  constant: (name, value) => `${name} = ${value}`,
  label: (name) => name,
  bytes: (values) => `    !byte ${values}`,
})
