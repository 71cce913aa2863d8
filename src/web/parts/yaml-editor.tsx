import { autocompletion, type CompletionContext, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useRef } from "preact/hooks";
import { completionsAt } from "../state/policy-completion.ts";

export interface Mark {
  line?: number;
  column?: number;
  message: string;
  severity: "error" | "warning";
}

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--color-accent)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--color-allow)" },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: "var(--color-ask)" },
  { tag: tags.comment, color: "var(--color-soft)", fontStyle: "italic" },
]);

const look = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", color: "var(--color-ink)", backgroundColor: "var(--color-panel)" },
  "&.cm-focused": { outline: "2px solid var(--color-accent)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--font-mono)", lineHeight: "1.55" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--color-soft)", border: "none" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--color-raised) 70%, transparent)" },
  ".cm-cursor": { borderLeftColor: "var(--color-ink)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--color-accent) 25%, transparent) !important",
  },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--color-accent-fill)",
    color: "#fff",
  },
  ".cm-tooltip-autocomplete > ul > li": { padding: "3px 8px !important" },
  ".cm-completionDetail": { opacity: "0.75", fontStyle: "normal" },
  ".cm-tooltip": {
    backgroundColor: "var(--color-panel)",
    border: "1px solid var(--color-line)",
    color: "var(--color-ink)",
  },
});

interface Props {
  label: string;
  /** The text it starts with; another `key` starts it again with another text. */
  initial: string;
  onChange(value: string): void;
  marks: Mark[];
  readOnly?: boolean;
  /** Pack names that completion offers. */
  packs?: readonly string[];
  /** Line to go to; each change of it moves there. */
  at?: { line: number; column: number } | undefined;
}

/** In a shadow root, because there the editor's styles need no exception from the content security policy. */
export function YamlEditor({ label, initial, onChange, marks, readOnly = false, packs = [], at }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>();
  const change = useRef(onChange);
  change.current = onChange;
  const names = useRef(packs);
  names.current = packs;
  useEffect(() => {
    const host = place.current!;
    const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    view.current = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: initial,
        extensions: [
          lineNumbers(),
          EditorView.lineWrapping,
          history(),
          drawSelection(),
          highlightActiveLine(),
          indentUnit.of("  "),
          yaml(),
          syntaxHighlighting(colours),
          lintGutter(),
          autocompletion({ override: [context => complete(context, names.current)], icons: false }),
          look,
          keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
          EditorState.readOnly.of(readOnly),
          EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
          EditorView.updateListener.of(({ docChanged, state }) => docChanged && change.current(state.doc.toString())),
        ],
      }),
    });
    return () => view.current?.destroy();
  }, [readOnly]);
  useEffect(() => {
    const { state } = view.current!;
    view.current!.dispatch(
      setDiagnostics(
        state,
        marks.map(mark => diagnosticOf(state, mark)),
      ),
    );
  }, [marks]);
  useEffect(() => {
    if (!at) return;
    const { from } = diagnosticOf(view.current!.state, { ...at, message: "", severity: "error" });
    view.current!.dispatch({ selection: { anchor: from }, scrollIntoView: true });
    view.current!.focus();
  }, [at]);
  return <div ref={place} class="h-full min-h-0 [contain:strict]" data-editor />;
}

function complete({ state, pos, explicit }: CompletionContext, packs: readonly string[]) {
  const found = completionsAt(state.doc.toString(), pos, packs);
  if (!found || (found.from === pos && !explicit)) return null;
  const { from, options } = found;
  return {
    from,
    options: options.map(({ label, kind, detail }) => ({
      label,
      detail,
      apply: kind === "key" ? `${label}: ` : label,
    })),
    validFor: /^[\w.*-]*$/,
  };
}

function diagnosticOf(state: EditorState, { line, column, message, severity }: Mark): Diagnostic {
  const at = state.doc.line(Math.min(Math.max(1, line ?? 1), state.doc.lines));
  const from = Math.min(at.to, at.from + Math.max(0, (column ?? 1) - 1));
  return { from, to: Math.max(from, at.to), message, severity };
}
