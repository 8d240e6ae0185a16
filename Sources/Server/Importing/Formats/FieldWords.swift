/// The names of columns in other languages.
enum FieldWords {
    /// The words for our fields, in small letters and without spaces.
    ///
    /// A word that also begins the names of options, such as `antwort`, names the key where it stands alone.
    static let words: [String: [String]] = [
        "question": [
            "frage", "fragetext", "fragestellung", "énoncé", "enonce", "pregunta", "enunciado",
            "domanda", "quesito", "pergunta", "questão", "vraag", "pytanie", "soru", "问题", "题目",
            "題目", "問題", "질문", "문제", "السؤال", "سؤال",
        ],
        "answer": [
            "richtig", "richtigeantwort", "richtigeantworten", "lösung", "loesung", "korrekt",
            "korrekteantwort", "antwort", "bonneréponse", "réponsecorrecte", "réponse",
            "respuestacorrecta", "correcta", "respuesta", "rispostacorretta", "corretta",
            "risposta",
            "respostacorreta", "correta", "gabarito", "resposta", "juisteantwoord", "antwoord",
            "poprawnaodpowiedź", "poprawna", "odpowiedź", "doğrucevap", "cevap", "答案", "正确答案",
            "正解", "정답", "الإجابة", "الإجابةالصحيحة",
        ],
        "explanation": [
            "erklärung", "erklaerung", "begründung", "explication", "explicación", "spiegazione",
            "explicação", "uitleg", "wyjaśnienie", "açıklama", "解析", "解説", "해설", "الشرح",
        ],
        "category": [
            "kategorie", "thema", "catégorie", "categoría", "categoria", "categorie", "kategoria",
            "kategori", "类别", "カテゴリ", "분류", "الفئة",
        ],
        "difficulty": [
            "schwierigkeit", "difficulté", "dificultad", "difficoltà", "dificuldade",
            "moeilijkheid", "trudność", "zorluk", "难度", "難易度", "난이도",
        ],
        "type": ["fragetyp", "typ"],
        "tolerance": ["toleranz", "tolérance", "tolerancia", "tolleranza", "tolerância"],
        "unit": ["einheit", "unité", "unidad", "unità", "unidade", "eenheid"],
    ]

    /// The words before the letter or number of an option, the longer ones first.
    static let options = [
        "antwortmöglichkeit", "alternativa", "alternative", "möglichkeit", "odpowiedź", "respuesta",
        "risposta", "resposta", "antwoord", "auswahl", "réponse", "seçenek", "antwort", "opción",
        "opcion", "opzione", "option", "answer", "choice", "choix", "opção", "opcao", "opcja",
        "optie", "选项", "選項", "選択肢", "선택지", "보기", "الخيار", "opt", "op",
    ]
}
