import { expect, test } from 'vitest';
import { shippedText } from '../../../../../src/core/world/shipped-file.ts';
import { pageScriptPath } from '../../../../../src/features/page/page-html.ts';
import { pageStyle } from '../../../../../src/features/page/page-style.ts';

test.each([
  ['script', () => shippedText(pageScriptPath)],
  ['style sheet', () => pageStyle],
])(
  'the %s of the page has nothing that a browser reads as other bytes than those of its hash',
  (_, read) => {
    const text = read();
    expect(text.length).toBeGreaterThan(1000);
    expect(text).not.toMatch(/<\/(script|style)|<!--|<script|\r|\0|\ufeff|\ufffd/i);
  },
);
