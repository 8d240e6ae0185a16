/// The words by which checks recognise phrases of tests, in English, German, French, Spanish, Italian, Portuguese,
/// Dutch, Polish, Japanese and Arabic.
///
/// All in lower case. A bank may mix languages, so the words of all are tried.
enum LintText {
    /// The beginnings of options that refer to the options above them.
    static let above = [
        "all of the above", "none of the above", "both of the above", "any of the above",
        "all the above", "none the above",
        "alle oben genannten", "alle der oben genannten", "alle obigen", "alle obenstehenden",
        "keine der oben genannten", "keine der obigen", "keines der oben genannten",
        "keiner der oben genannten", "alles oben genannte", "nichts davon ist oben",
        "toutes les réponses ci-dessus", "toutes les réponses précédentes",
        "aucune des réponses ci-dessus", "aucune des réponses précédentes", "tout ce qui précède",
        "tous les choix ci-dessus", "aucun des choix ci-dessus", "rien de ce qui précède",
        "todas las anteriores", "todos los anteriores", "todas las respuestas anteriores",
        "ninguna de las anteriores", "ninguno de los anteriores", "todo lo anterior",
        "nada de lo anterior", "ninguna de las respuestas anteriores",
        "tutte le precedenti", "tutti i precedenti", "tutte le risposte precedenti",
        "nessuna delle precedenti", "nessuno dei precedenti", "nessuna delle risposte precedenti",
        "tutte le suddette", "nessuna delle suddette",
        "todas as anteriores", "todos os anteriores", "todas as alternativas anteriores",
        "nenhuma das anteriores", "nenhum dos anteriores", "nenhuma das alternativas anteriores",
        "todas as opções acima", "nenhuma das opções acima", "todas as acima", "nenhuma das acima",
        "al het bovenstaande", "alle bovenstaande", "geen van bovenstaande",
        "geen van de bovenstaande", "geen van het bovenstaande",
        "wszystkie powyższe", "wszystkie z powyższych", "żadne z powyższych",
        "żadna z powyższych", "żaden z powyższych",
        "上記のすべて", "上記すべて", "上記の全て", "上記全て", "以上のすべて", "以上すべて",
        "上記のいずれでもない", "上記のどれでもない", "以上のいずれでもない", "上記のいずれも",
        "جميع ما سبق", "كل ما سبق", "لا شيء مما سبق", "جميع ما ذكر", "كل ما ذكر",
        "لا شيء مما ذكر", "جميع الإجابات السابقة",
    ]

    /// The nouns for an option before its letter.
    static let optionNouns: Set<String> = [
        "option", "options", "answer", "answers", "choice", "choices", "alternative",
        "alternatives", "antwort", "antworten", "optionen", "antwortmöglichkeit", "réponse",
        "réponses", "choix", "proposition", "opción", "opciones", "respuesta", "respuestas",
        "alternativa", "alternativas", "opzione", "opzioni", "risposta", "risposte", "opção",
        "opções", "resposta", "respostas", "optie", "opties", "antwoord", "antwoorden", "opcja",
        "opcje", "odpowiedź", "odpowiedzi", "選択肢", "解答", "الخيار", "الإجابة", "الجواب",
        "خيار", "إجابة",
    ]

    /// The words between letters in options such as "Both A and C" or "only B".
    static let joins: Set<String> = [
        "and", "or", "both", "only", "neither", "nor", "either", "all", "of", "are", "is",
        "correct", "und", "oder", "sowohl", "als", "auch", "nur", "weder", "noch", "beide", "et",
        "ou", "seulement", "uniquement", "ni", "y", "o", "solo", "sólo", "solamente", "ambas",
        "ambos", "e", "soltanto", "né", "sia", "che", "apenas", "somente", "nem", "tanto", "en",
        "of", "alleen", "zowel", "als", "noch", "i", "lub", "oraz", "tylko", "ani", "zarówno",
        "jak", "と", "または", "および", "のみ", "だけ", "の両方", "両方", "も", "و", "أو", "فقط", "كلا",
        "من",
    ]

    /// The verbs that ask a learner to choose.
    static let verbs: Set<String> = [
        "select", "choose", "pick", "mark", "check", "tick", "wähle", "wählen", "markiere",
        "markieren", "kreuze", "kreuzen", "choisissez", "choisis", "sélectionnez", "cochez",
        "elige", "elija", "selecciona", "seleccione", "escoge", "escoja", "marca", "marque",
        "scegli", "scegliere", "scegliete", "seleziona", "selezionare", "escolha", "escolher",
        "selecione", "kies", "selecteer", "wybierz", "zaznacz", "اختر", "حدد",
    ]

    /// The words that may come between the verb and its number.
    static let fillers: Set<String> = [
        "the", "exactly", "only", "any", "sie", "genau", "die", "les", "exactement", "las", "los",
        "exactamente", "le", "i", "gli", "esattamente", "as", "os", "exatamente", "de", "precies",
        "dokładnie",
    ]

    /// The words that make a number a lower bound.
    static let orMore: Set<String> = ["or", "oder", "ou", "o", "of", "lub", "أو"]

    /// Numbers in words.
    static let numbers: [String: Int] = [
        "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
        "eine": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6,
        "une": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5,
        "una": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6,
        "due": 2, "tre": 3, "quattro": 4, "cinque": 5, "sei": 6,
        "uma": 1, "dois": 2, "duas": 2, "três": 3, "quatro": 4,
        "een": 1, "één": 1, "twee": 2, "drie": 3, "vijf": 5, "zes": 6,
        "jedną": 1, "dwa": 2, "dwie": 2, "trzy": 3, "cztery": 4, "pięć": 5, "sześć": 6,
        "اثنين": 2, "اثنتين": 2, "إجابتين": 2, "خيارين": 2, "ثلاثة": 3, "ثلاث": 3, "أربعة": 4,
        "أربع": 4,
    ]

    /// The words that ask for a number of options in a question, as in "Which two of these".
    static let askers: Set<String> = [
        "which", "welche", "quelles", "quels", "cuáles", "quali", "quais", "welke", "które",
    ]

    /// The words between an option and a judgement of it.
    static let copulas: Set<String> = [
        "is", "are", "was", "were", "ist", "sind", "est", "sont", "es", "son", "è", "sono", "é",
        "são", "jest", "są",
    ]

    /// Judgements of an option.
    static let judgements: Set<String> = [
        "correct", "incorrect", "right", "wrong", "false", "true", "richtig", "richtige", "falsch",
        "falsche", "korrekt",
        "correcte", "juste", "fausse", "faux", "incorrecte", "correcta", "correctas", "incorrecta",
        "incorrectas",
        "falsa", "verdadera", "corretta", "corrette", "errata", "sbagliata", "correta", "corretas",
        "incorreta",
        "errada", "juist", "onjuist", "goed", "fout", "poprawna", "prawidłowa", "błędna",
    ]

    /// The places of options in words.
    static let ordinals: Set<String> = [
        "first", "second", "third", "fourth", "fifth", "last", "erste", "zweite", "dritte",
        "vierte", "fünfte", "letzte",
        "première", "deuxième", "troisième", "quatrième", "dernière", "primera", "segunda",
        "tercera", "cuarta", "última",
        "prima", "seconda", "terza", "quarta", "ultima", "primeira", "terceira", "quarta", "eerste",
        "tweede", "derde",
        "vierde", "laatste", "pierwsza", "druga", "trzecia", "czwarta", "ostatnia",
    ]

    /// Articles, and other words before the word for an answer.
    static let articles: Set<String> = [
        "the", "so", "thus", "therefore", "hence", "die", "das", "der", "also", "daher", "la", "le",
        "les", "las", "el",
        "il", "lo", "le", "as", "os", "de", "het", "donc", "por", "lo", "tanto", "quindi",
        "portanto", "dus", "best",
    ]

    /// The letters of options.
    static let letters: Set<String> = ["A", "B", "C", "D", "E", "F", "أ", "ب", "ج", "د"]
}
