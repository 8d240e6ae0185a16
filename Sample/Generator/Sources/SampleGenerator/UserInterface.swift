import Foundation

/// The texts of a small user interface: six words translated by hand, the rest from the locale.
enum UserInterface {
    static func texts(_ language: Language) -> [String: String] {
        var texts = [
            "language.name": language.ownName,
            "weekday.first": language.weekdays[language.locale.firstDayOfWeek == .sunday ? 0 : 1],
            "unit.minutes.10": language.duration(10, .minute),
        ]
        let words = words[language.code] ?? []
        for (key, word) in zip(["start", "next", "back", "right", "wrong", "result"], words) {
            texts["action.\(key)"] = word
        }
        return texts
    }

    /// Start, next, back, right, wrong, result.
    private static let words: [String: [String]] = [
        "ar": ["ابدأ", "التالي", "رجوع", "صحيح", "خطأ", "النتيجة"],
        "az": ["Başla", "Növbəti", "Geri", "Doğru", "Yanlış", "Nəticə"],
        "bg": ["Начало", "Напред", "Назад", "Вярно", "Грешно", "Резултат"],
        "ca": ["Comença", "Següent", "Enrere", "Correcte", "Incorrecte", "Resultat"],
        "cs": ["Začít", "Další", "Zpět", "Správně", "Špatně", "Výsledek"],
        "da": ["Start", "Næste", "Tilbage", "Rigtigt", "Forkert", "Resultat"],
        "de": ["Start", "Weiter", "Zurück", "Richtig", "Falsch", "Ergebnis"],
        "el": ["Έναρξη", "Επόμενο", "Πίσω", "Σωστό", "Λάθος", "Αποτέλεσμα"],
        "en": ["Start", "Next", "Back", "Right", "Wrong", "Result"],
        "es": ["Empezar", "Siguiente", "Atrás", "Correcto", "Incorrecto", "Resultado"],
        "et": ["Alusta", "Edasi", "Tagasi", "Õige", "Vale", "Tulemus"],
        "eu": ["Hasi", "Hurrengoa", "Atzera", "Zuzena", "Okerra", "Emaitza"],
        "fa": ["شروع", "بعدی", "بازگشت", "درست", "نادرست", "نتیجه"],
        "fi": ["Aloita", "Seuraava", "Takaisin", "Oikein", "Väärin", "Tulos"],
        "fr": ["Commencer", "Suivant", "Retour", "Juste", "Faux", "Résultat"],
        "he": ["התחל", "הבא", "חזרה", "נכון", "שגוי", "תוצאה"],
        "hi": ["शुरू करें", "आगे", "वापस", "सही", "गलत", "परिणाम"],
        "hr": ["Počni", "Dalje", "Natrag", "Točno", "Netočno", "Rezultat"],
        "hu": ["Indítás", "Tovább", "Vissza", "Helyes", "Helytelen", "Eredmény"],
        "hy": ["Սկսել", "Հաջորդը", "Հետ", "Ճիշտ է", "Սխալ է", "Արդյունք"],
        "id": ["Mulai", "Berikutnya", "Kembali", "Benar", "Salah", "Hasil"],
        "is": ["Byrja", "Áfram", "Til baka", "Rétt", "Rangt", "Niðurstaða"],
        "it": ["Inizia", "Avanti", "Indietro", "Giusto", "Sbagliato", "Risultato"],
        "ja": ["開始", "次へ", "戻る", "正解", "不正解", "結果"],
        "ka": ["დაწყება", "შემდეგი", "უკან", "სწორია", "არასწორია", "შედეგი"],
        "ko": ["시작", "다음", "뒤로", "정답", "오답", "결과"],
        "lt": ["Pradėti", "Toliau", "Atgal", "Teisingai", "Neteisingai", "Rezultatas"],
        "lv": ["Sākt", "Tālāk", "Atpakaļ", "Pareizi", "Nepareizi", "Rezultāts"],
        "ms": ["Mula", "Seterusnya", "Kembali", "Betul", "Salah", "Keputusan"],
        "nb": ["Start", "Neste", "Tilbake", "Riktig", "Feil", "Resultat"],
        "nl": ["Start", "Volgende", "Terug", "Goed", "Fout", "Resultaat"],
        "pl": ["Start", "Dalej", "Wstecz", "Dobrze", "Źle", "Wynik"],
        "pt": ["Começar", "Seguinte", "Voltar", "Certo", "Errado", "Resultado"],
        "ro": ["Începe", "Următorul", "Înapoi", "Corect", "Greșit", "Rezultat"],
        "ru": ["Начать", "Далее", "Назад", "Верно", "Неверно", "Результат"],
        "sk": ["Začať", "Ďalej", "Späť", "Správne", "Nesprávne", "Výsledok"],
        "sl": ["Začni", "Naprej", "Nazaj", "Pravilno", "Napačno", "Rezultat"],
        "sr": ["Почни", "Даље", "Назад", "Тачно", "Нетачно", "Резултат"],
        "sv": ["Börja", "Nästa", "Tillbaka", "Rätt", "Fel", "Resultat"],
        "sw": ["Anza", "Ifuatayo", "Rudi", "Sahihi", "Si sahihi", "Matokeo"],
        "th": ["เริ่ม", "ถัดไป", "กลับ", "ถูก", "ผิด", "ผลลัพธ์"],
        "tr": ["Başla", "İleri", "Geri", "Doğru", "Yanlış", "Sonuç"],
        "uk": ["Почати", "Далі", "Назад", "Правильно", "Неправильно", "Результат"],
        "vi": ["Bắt đầu", "Tiếp theo", "Quay lại", "Đúng", "Sai", "Kết quả"],
        "zh": ["开始", "下一步", "返回", "正确", "错误", "结果"],
    ]
}
