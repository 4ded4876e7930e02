import fc from 'fast-check';

/** Texts that one reader of YAML or another takes for something else, or that are hard to write. */
// biome-ignore format: a list to read, not a column
export const nastyTexts = [
  '', ' ', ' a', 'a ', 'a: b', 'a:', ':a', '#', 'a #b', 'a#b', '-', '- a', '-a', '--- a', '...', '~', '?',
  '? a', '0775', '08', '0x1F', '0b11', '0o17', '1e3', '1E3', '1_000', '1.5', '.5', '5.', '.inf', '-.INF',
  '.nan', 'yes', 'Yes', 'YES', 'yEs', 'no', 'NO', 'on', 'Off', 'y', 'N', 'true', 'True', 'TRUE', 'false',
  'null', 'Null', '=', '<<', '12:30', '1:30:45', '12:30:45.5', '2026-01-01', '2026-01-01T00:00:00Z',
  '2001-12-14 21:59:43', '+1', '-1', '-5', '1', '10', 'a\nb', 'a\nb\n', '\n', '\na', 'a\n\n', ' a\nb',
  'a\tb', '\t', 'é', '漢字', '\u0085', '\u2028', '\ufeff', '😀', '\u0000', '\u007f', '"', "'", '"TCP"',
  "it's", '{a}', '[a]', 'a,b', ',', '&a', '*a', '!a', '|', '>', '%', '@a', '`a`', 'a@b', 'a=b',
  'x'.repeat(300), `${'x'.repeat(90)} ${'y'.repeat(90)}`, '8.8.8.8', '8.8.8.8/32',
  '8.8.8.8-8.8.8.9', '8.8.8.8,2001:db8::1', '2001:db8::1', '2001:db8::', '2001:db8::/32',
  '2001:1:2:3:4:5:6:7', '2001:1:2:3:4:5:6:f', '::1', '::', '::/0', '10:20:30:40:50:51:52:53',
  '1:2:3:4:5:6:7:8', '1e3:1:1:1:1:1:1:1', '80-tcp', '80-1', '5reb3l87s85t50v77sosktvdeeg',
  '12345678901234567890', 'metallb.io/allow-shared-ip', 'Prune=false,Delete=false',
  'argocd.argoproj.io/sync-wave', 'constructor', 'toString', '0o7', '0O7', '0X1F', '0B1', '-0o7', '+0o7', '0o_7',
  '1.5e3_', '0b1_0', '.5e1_', '0x1_F', '190:20:30', 'null', 'NULL', '.Inf', '+.inf', '.NaN', '-.', '+', '1.', '1e', '0x', '0b2', '0o8',
  '1_', '_1', '1__0', '0_', '2001-1-1', '2001-01-01 1:2:3', '1p5', '0x1p5', '1i', 'Infinity', 'a\r\nb', '\r', '  a\n b\n', 'a\n\tb',
  'a \nb', '\n a', '# a\nb', 'a\n---\nb', '...\na', '\u0001', '\ue000', '\u{e0001}', '\u00ad', 'The team', 'a, b: c', '/x', '/',
];

/** Short texts of the characters that numbers and dates are made of. */
export const nearlyNumber = fc.stringMatching(/^[0-9a-fyYnNoOtTeExXsSpPiI:._/=,@+~<-]{0,12}$/);
