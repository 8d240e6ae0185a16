

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

CREATE SCHEMA auth;

ALTER SCHEMA auth OWNER TO underway_owner;

CREATE SCHEMA content;

ALTER SCHEMA content OWNER TO underway_owner;

CREATE SCHEMA underway;

ALTER SCHEMA underway OWNER TO underway_owner;

CREATE FUNCTION auth.uid() RETURNS uuid
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$select nullif(nullif(current_setting('request.jwt.claims', true), '')::jsonb
                ->> 'sub', '')::uuid$$;

ALTER FUNCTION auth.uid() OWNER TO underway_owner;

CREATE FUNCTION content.small_letters(value text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    AS $$
declare
    small text := lower(value collate "C");
    own text;
begin
    if octet_length(value) = char_length(value) then return small; end if;
    own := regexp_replace(small collate "C", '[^\u0130\u00C0\u00C1\u00C2\u00C3\u00C4\u00C5\u00C6\u00C7\u00C8\u00C9\u00CA\u00CB\u00CC\u00CD\u00CE\u00CF\u00D0\u00D1\u00D2\u00D3\u00D4\u00D5\u00D6\u00D8\u00D9\u00DA\u00DB\u00DC\u00DD\u00DE\u0100\u0102\u0104\u0106\u0108\u010A\u010C\u010E\u0110\u0112\u0114\u0116\u0118\u011A\u011C\u011E\u0120\u0122\u0124\u0126\u0128\u012A\u012C\u012E\u0132\u0134\u0136\u0139\u013B\u013D\u013F\u0141\u0143\u0145\u0147\u014A\u014C\u014E\u0150\u0152\u0154\u0156\u0158\u015A\u015C\u015E\u0160\u0162\u0164\u0166\u0168\u016A\u016C\u016E\u0170\u0172\u0174\u0176\u0178\u0179\u017B\u017D\u0181\u0182\u0184\u0186\u0187\u0189\u018A\u018B\u018E\u018F\u0190\u0191\u0193\u0194\u0196\u0197\u0198\u019C\u019D\u019F\u01A0\u01A2\u01A4\u01A6\u01A7\u01A9\u01AC\u01AE\u01AF\u01B1\u01B2\u01B3\u01B5\u01B7\u01B8\u01BC\u01C4\u01C5\u01C7\u01C8\u01CA\u01CB\u01CD\u01CF\u01D1\u01D3\u01D5\u01D7\u01D9\u01DB\u01DE\u01E0\u01E2\u01E4\u01E6\u01E8\u01EA\u01EC\u01EE\u01F1\u01F2\u01F4\u01F6\u01F7\u01F8\u01FA\u01FC\u01FE\u0200\u0202\u0204\u0206\u0208\u020A\u020C\u020E\u0210\u0212\u0214\u0216\u0218\u021A\u021C\u021E\u0220\u0222\u0224\u0226\u0228\u022A\u022C\u022E\u0230\u0232\u023A\u023B\u023D\u023E\u0241\u0243\u0244\u0245\u0246\u0248\u024A\u024C\u024E\u0370\u0372\u0376\u037F\u0386\u0388\u0389\u038A\u038C\u038E\u038F\u0391\u0392\u0393\u0394\u0395\u0396\u0397\u0398\u0399\u039A\u039B\u039C\u039D\u039E\u039F\u03A0\u03A1\u03A3\u03A4\u03A5\u03A6\u03A7\u03A8\u03A9\u03AA\u03AB\u03CF\u03D8\u03DA\u03DC\u03DE\u03E0\u03E2\u03E4\u03E6\u03E8\u03EA\u03EC\u03EE\u03F4\u03F7\u03F9\u03FA\u03FD\u03FE\u03FF\u0400\u0401\u0402\u0403\u0404\u0405\u0406\u0407\u0408\u0409\u040A\u040B\u040C\u040D\u040E\u040F\u0410\u0411\u0412\u0413\u0414\u0415\u0416\u0417\u0418\u0419\u041A\u041B\u041C\u041D\u041E\u041F\u0420\u0421\u0422\u0423\u0424\u0425\u0426\u0427\u0428\u0429\u042A\u042B\u042C\u042D\u042E\u042F\u0460\u0462\u0464\u0466\u0468\u046A\u046C\u046E\u0470\u0472\u0474\u0476\u0478\u047A\u047C\u047E\u0480\u048A\u048C\u048E\u0490\u0492\u0494\u0496\u0498\u049A\u049C\u049E\u04A0\u04A2\u04A4\u04A6\u04A8\u04AA\u04AC\u04AE\u04B0\u04B2\u04B4\u04B6\u04B8\u04BA\u04BC\u04BE\u04C0\u04C1\u04C3\u04C5\u04C7\u04C9\u04CB\u04CD\u04D0\u04D2\u04D4\u04D6\u04D8\u04DA\u04DC\u04DE\u04E0\u04E2\u04E4\u04E6\u04E8\u04EA\u04EC\u04EE\u04F0\u04F2\u04F4\u04F6\u04F8\u04FA\u04FC\u04FE\u0500\u0502\u0504\u0506\u0508\u050A\u050C\u050E\u0510\u0512\u0514\u0516\u0518\u051A\u051C\u051E\u0520\u0522\u0524\u0526\u0528\u052A\u052C\u052E\u0531\u0532\u0533\u0534\u0535\u0536\u0537\u0538\u0539\u053A\u053B\u053C\u053D\u053E\u053F\u0540\u0541\u0542\u0543\u0544\u0545\u0546\u0547\u0548\u0549\u054A\u054B\u054C\u054D\u054E\u054F\u0550\u0551\u0552\u0553\u0554\u0555\u0556\u10A0\u10A1\u10A2\u10A3\u10A4\u10A5\u10A6\u10A7\u10A8\u10A9\u10AA\u10AB\u10AC\u10AD\u10AE\u10AF\u10B0\u10B1\u10B2\u10B3\u10B4\u10B5\u10B6\u10B7\u10B8\u10B9\u10BA\u10BB\u10BC\u10BD\u10BE\u10BF\u10C0\u10C1\u10C2\u10C3\u10C4\u10C5\u10C7\u10CD\u13A0\u13A1\u13A2\u13A3\u13A4\u13A5\u13A6\u13A7\u13A8\u13A9\u13AA\u13AB\u13AC\u13AD\u13AE\u13AF\u13B0\u13B1\u13B2\u13B3\u13B4\u13B5\u13B6\u13B7\u13B8\u13B9\u13BA\u13BB\u13BC\u13BD\u13BE\u13BF\u13C0\u13C1\u13C2\u13C3\u13C4\u13C5\u13C6\u13C7\u13C8\u13C9\u13CA\u13CB\u13CC\u13CD\u13CE\u13CF\u13D0\u13D1\u13D2\u13D3\u13D4\u13D5\u13D6\u13D7\u13D8\u13D9\u13DA\u13DB\u13DC\u13DD\u13DE\u13DF\u13E0\u13E1\u13E2\u13E3\u13E4\u13E5\u13E6\u13E7\u13E8\u13E9\u13EA\u13EB\u13EC\u13ED\u13EE\u13EF\u13F0\u13F1\u13F2\u13F3\u13F4\u13F5\u1C89\u1C90\u1C91\u1C92\u1C93\u1C94\u1C95\u1C96\u1C97\u1C98\u1C99\u1C9A\u1C9B\u1C9C\u1C9D\u1C9E\u1C9F\u1CA0\u1CA1\u1CA2\u1CA3\u1CA4\u1CA5\u1CA6\u1CA7\u1CA8\u1CA9\u1CAA\u1CAB\u1CAC\u1CAD\u1CAE\u1CAF\u1CB0\u1CB1\u1CB2\u1CB3\u1CB4\u1CB5\u1CB6\u1CB7\u1CB8\u1CB9\u1CBA\u1CBD\u1CBE\u1CBF\u1E00\u1E02\u1E04\u1E06\u1E08\u1E0A\u1E0C\u1E0E\u1E10\u1E12\u1E14\u1E16\u1E18\u1E1A\u1E1C\u1E1E\u1E20\u1E22\u1E24\u1E26\u1E28\u1E2A\u1E2C\u1E2E\u1E30\u1E32\u1E34\u1E36\u1E38\u1E3A\u1E3C\u1E3E\u1E40\u1E42\u1E44\u1E46\u1E48\u1E4A\u1E4C\u1E4E\u1E50\u1E52\u1E54\u1E56\u1E58\u1E5A\u1E5C\u1E5E\u1E60\u1E62\u1E64\u1E66\u1E68\u1E6A\u1E6C\u1E6E\u1E70\u1E72\u1E74\u1E76\u1E78\u1E7A\u1E7C\u1E7E\u1E80\u1E82\u1E84\u1E86\u1E88\u1E8A\u1E8C\u1E8E\u1E90\u1E92\u1E94\u1E9E\u1EA0\u1EA2\u1EA4\u1EA6\u1EA8\u1EAA\u1EAC\u1EAE\u1EB0\u1EB2\u1EB4\u1EB6\u1EB8\u1EBA\u1EBC\u1EBE\u1EC0\u1EC2\u1EC4\u1EC6\u1EC8\u1ECA\u1ECC\u1ECE\u1ED0\u1ED2\u1ED4\u1ED6\u1ED8\u1EDA\u1EDC\u1EDE\u1EE0\u1EE2\u1EE4\u1EE6\u1EE8\u1EEA\u1EEC\u1EEE\u1EF0\u1EF2\u1EF4\u1EF6\u1EF8\u1EFA\u1EFC\u1EFE\u1F08\u1F09\u1F0A\u1F0B\u1F0C\u1F0D\u1F0E\u1F0F\u1F18\u1F19\u1F1A\u1F1B\u1F1C\u1F1D\u1F28\u1F29\u1F2A\u1F2B\u1F2C\u1F2D\u1F2E\u1F2F\u1F38\u1F39\u1F3A\u1F3B\u1F3C\u1F3D\u1F3E\u1F3F\u1F48\u1F49\u1F4A\u1F4B\u1F4C\u1F4D\u1F59\u1F5B\u1F5D\u1F5F\u1F68\u1F69\u1F6A\u1F6B\u1F6C\u1F6D\u1F6E\u1F6F\u1F88\u1F89\u1F8A\u1F8B\u1F8C\u1F8D\u1F8E\u1F8F\u1F98\u1F99\u1F9A\u1F9B\u1F9C\u1F9D\u1F9E\u1F9F\u1FA8\u1FA9\u1FAA\u1FAB\u1FAC\u1FAD\u1FAE\u1FAF\u1FB8\u1FB9\u1FBA\u1FBB\u1FBC\u1FC8\u1FC9\u1FCA\u1FCB\u1FCC\u1FD8\u1FD9\u1FDA\u1FDB\u1FE8\u1FE9\u1FEA\u1FEB\u1FEC\u1FF8\u1FF9\u1FFA\u1FFB\u1FFC\u2126\u212A\u212B\u2132\u2160\u2161\u2162\u2163\u2164\u2165\u2166\u2167\u2168\u2169\u216A\u216B\u216C\u216D\u216E\u216F\u2183\u24B6\u24B7\u24B8\u24B9\u24BA\u24BB\u24BC\u24BD\u24BE\u24BF\u24C0\u24C1\u24C2\u24C3\u24C4\u24C5\u24C6\u24C7\u24C8\u24C9\u24CA\u24CB\u24CC\u24CD\u24CE\u24CF\u2C00\u2C01\u2C02\u2C03\u2C04\u2C05\u2C06\u2C07\u2C08\u2C09\u2C0A\u2C0B\u2C0C\u2C0D\u2C0E\u2C0F\u2C10\u2C11\u2C12\u2C13\u2C14\u2C15\u2C16\u2C17\u2C18\u2C19\u2C1A\u2C1B\u2C1C\u2C1D\u2C1E\u2C1F\u2C20\u2C21\u2C22\u2C23\u2C24\u2C25\u2C26\u2C27\u2C28\u2C29\u2C2A\u2C2B\u2C2C\u2C2D\u2C2E\u2C2F\u2C60\u2C62\u2C63\u2C64\u2C67\u2C69\u2C6B\u2C6D\u2C6E\u2C6F\u2C70\u2C72\u2C75\u2C7E\u2C7F\u2C80\u2C82\u2C84\u2C86\u2C88\u2C8A\u2C8C\u2C8E\u2C90\u2C92\u2C94\u2C96\u2C98\u2C9A\u2C9C\u2C9E\u2CA0\u2CA2\u2CA4\u2CA6\u2CA8\u2CAA\u2CAC\u2CAE\u2CB0\u2CB2\u2CB4\u2CB6\u2CB8\u2CBA\u2CBC\u2CBE\u2CC0\u2CC2\u2CC4\u2CC6\u2CC8\u2CCA\u2CCC\u2CCE\u2CD0\u2CD2\u2CD4\u2CD6\u2CD8\u2CDA\u2CDC\u2CDE\u2CE0\u2CE2\u2CEB\u2CED\u2CF2\uA640\uA642\uA644\uA646\uA648\uA64A\uA64C\uA64E\uA650\uA652\uA654\uA656\uA658\uA65A\uA65C\uA65E\uA660\uA662\uA664\uA666\uA668\uA66A\uA66C\uA680\uA682\uA684\uA686\uA688\uA68A\uA68C\uA68E\uA690\uA692\uA694\uA696\uA698\uA69A\uA722\uA724\uA726\uA728\uA72A\uA72C\uA72E\uA732\uA734\uA736\uA738\uA73A\uA73C\uA73E\uA740\uA742\uA744\uA746\uA748\uA74A\uA74C\uA74E\uA750\uA752\uA754\uA756\uA758\uA75A\uA75C\uA75E\uA760\uA762\uA764\uA766\uA768\uA76A\uA76C\uA76E\uA779\uA77B\uA77D\uA77E\uA780\uA782\uA784\uA786\uA78B\uA78D\uA790\uA792\uA796\uA798\uA79A\uA79C\uA79E\uA7A0\uA7A2\uA7A4\uA7A6\uA7A8\uA7AA\uA7AB\uA7AC\uA7AD\uA7AE\uA7B0\uA7B1\uA7B2\uA7B3\uA7B4\uA7B6\uA7B8\uA7BA\uA7BC\uA7BE\uA7C0\uA7C2\uA7C4\uA7C5\uA7C6\uA7C7\uA7C9\uA7CB\uA7CC\uA7CE\uA7D0\uA7D2\uA7D4\uA7D6\uA7D8\uA7DA\uA7DC\uA7F5\uFF21\uFF22\uFF23\uFF24\uFF25\uFF26\uFF27\uFF28\uFF29\uFF2A\uFF2B\uFF2C\uFF2D\uFF2E\uFF2F\uFF30\uFF31\uFF32\uFF33\uFF34\uFF35\uFF36\uFF37\uFF38\uFF39\uFF3A\U00010400\U00010401\U00010402\U00010403\U00010404\U00010405\U00010406\U00010407\U00010408\U00010409\U0001040A\U0001040B\U0001040C\U0001040D\U0001040E\U0001040F\U00010410\U00010411\U00010412\U00010413\U00010414\U00010415\U00010416\U00010417\U00010418\U00010419\U0001041A\U0001041B\U0001041C\U0001041D\U0001041E\U0001041F\U00010420\U00010421\U00010422\U00010423\U00010424\U00010425\U00010426\U00010427\U000104B0\U000104B1\U000104B2\U000104B3\U000104B4\U000104B5\U000104B6\U000104B7\U000104B8\U000104B9\U000104BA\U000104BB\U000104BC\U000104BD\U000104BE\U000104BF\U000104C0\U000104C1\U000104C2\U000104C3\U000104C4\U000104C5\U000104C6\U000104C7\U000104C8\U000104C9\U000104CA\U000104CB\U000104CC\U000104CD\U000104CE\U000104CF\U000104D0\U000104D1\U000104D2\U000104D3\U00010570\U00010571\U00010572\U00010573\U00010574\U00010575\U00010576\U00010577\U00010578\U00010579\U0001057A\U0001057C\U0001057D\U0001057E\U0001057F\U00010580\U00010581\U00010582\U00010583\U00010584\U00010585\U00010586\U00010587\U00010588\U00010589\U0001058A\U0001058C\U0001058D\U0001058E\U0001058F\U00010590\U00010591\U00010592\U00010594\U00010595\U00010C80\U00010C81\U00010C82\U00010C83\U00010C84\U00010C85\U00010C86\U00010C87\U00010C88\U00010C89\U00010C8A\U00010C8B\U00010C8C\U00010C8D\U00010C8E\U00010C8F\U00010C90\U00010C91\U00010C92\U00010C93\U00010C94\U00010C95\U00010C96\U00010C97\U00010C98\U00010C99\U00010C9A\U00010C9B\U00010C9C\U00010C9D\U00010C9E\U00010C9F\U00010CA0\U00010CA1\U00010CA2\U00010CA3\U00010CA4\U00010CA5\U00010CA6\U00010CA7\U00010CA8\U00010CA9\U00010CAA\U00010CAB\U00010CAC\U00010CAD\U00010CAE\U00010CAF\U00010CB0\U00010CB1\U00010CB2\U00010D50\U00010D51\U00010D52\U00010D53\U00010D54\U00010D55\U00010D56\U00010D57\U00010D58\U00010D59\U00010D5A\U00010D5B\U00010D5C\U00010D5D\U00010D5E\U00010D5F\U00010D60\U00010D61\U00010D62\U00010D63\U00010D64\U00010D65\U000118A0\U000118A1\U000118A2\U000118A3\U000118A4\U000118A5\U000118A6\U000118A7\U000118A8\U000118A9\U000118AA\U000118AB\U000118AC\U000118AD\U000118AE\U000118AF\U000118B0\U000118B1\U000118B2\U000118B3\U000118B4\U000118B5\U000118B6\U000118B7\U000118B8\U000118B9\U000118BA\U000118BB\U000118BC\U000118BD\U000118BE\U000118BF\U00016E40\U00016E41\U00016E42\U00016E43\U00016E44\U00016E45\U00016E46\U00016E47\U00016E48\U00016E49\U00016E4A\U00016E4B\U00016E4C\U00016E4D\U00016E4E\U00016E4F\U00016E50\U00016E51\U00016E52\U00016E53\U00016E54\U00016E55\U00016E56\U00016E57\U00016E58\U00016E59\U00016E5A\U00016E5B\U00016E5C\U00016E5D\U00016E5E\U00016E5F\U00016EA0\U00016EA1\U00016EA2\U00016EA3\U00016EA4\U00016EA5\U00016EA6\U00016EA7\U00016EA8\U00016EA9\U00016EAA\U00016EAB\U00016EAC\U00016EAD\U00016EAE\U00016EAF\U00016EB0\U00016EB1\U00016EB2\U00016EB3\U00016EB4\U00016EB5\U00016EB6\U00016EB7\U00016EB8\U0001E900\U0001E901\U0001E902\U0001E903\U0001E904\U0001E905\U0001E906\U0001E907\U0001E908\U0001E909\U0001E90A\U0001E90B\U0001E90C\U0001E90D\U0001E90E\U0001E90F\U0001E910\U0001E911\U0001E912\U0001E913\U0001E914\U0001E915\U0001E916\U0001E917\U0001E918\U0001E919\U0001E91A\U0001E91B\U0001E91C\U0001E91D\U0001E91E\U0001E91F\U0001E920\U0001E921]+', '', 'g');
    if own = '' then return small; end if;
    if translate(own, 'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΪΫЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ', '') = '' then
        return translate(small, own,
            translate(own, 'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΪΫЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ', 'àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþαβγδεζηθικλμνξοπρστυφχψωϊϋѐёђѓєѕіїјљњћќѝўџабвгдежзийклмнопрстуфхцчшщъыьэюя'));
    end if;
    return replace(
        translate(small, own, translate(own, 'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞĀĂĄĆĈĊČĎĐĒĔĖĘĚĜĞĠĢĤĦĨĪĬĮĲĴĶĹĻĽĿŁŃŅŇŊŌŎŐŒŔŖŘŚŜŞŠŢŤŦŨŪŬŮŰŲŴŶŸŹŻŽƁƂƄƆƇƉƊƋƎƏƐƑƓƔƖƗƘƜƝƟƠƢƤƦƧƩƬƮƯƱƲƳƵƷƸƼǄǅǇǈǊǋǍǏǑǓǕǗǙǛǞǠǢǤǦǨǪǬǮǱǲǴǶǷǸǺǼǾȀȂȄȆȈȊȌȎȐȒȔȖȘȚȜȞȠȢȤȦȨȪȬȮȰȲȺȻȽȾɁɃɄɅɆɈɊɌɎͰͲͶͿΆΈΉΊΌΎΏΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΪΫϏϘϚϜϞϠϢϤϦϨϪϬϮϴϷϹϺϽϾϿЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦѨѪѬѮѰѲѴѶѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӁӃӅӇӉӋӍӐӒӔӖӘӚӜӞӠӢӤӦӨӪӬӮӰӲӴӶӸӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖႠႡႢႣႤႥႦႧႨႩႪႫႬႭႮႯႰႱႲႳႴႵႶႷႸႹႺႻႼႽႾႿჀჁჂჃჄჅჇჍᎠᎡᎢᎣᎤᎥᎦᎧᎨᎩᎪᎫᎬᎭᎮᎯᎰᎱᎲᎳᎴᎵᎶᎷᎸᎹᎺᎻᎼᎽᎾᎿᏀᏁᏂᏃᏄᏅᏆᏇᏈᏉᏊᏋᏌᏍᏎᏏᏐᏑᏒᏓᏔᏕᏖᏗᏘᏙᏚᏛᏜᏝᏞᏟᏠᏡᏢᏣᏤᏥᏦᏧᏨᏩᏪᏫᏬᏭᏮᏯᏰᏱᏲᏳᏴᏵᲉᲐᲑᲒᲓᲔᲕᲖᲗᲘᲙᲚᲛᲜᲝᲞᲟᲠᲡᲢᲣᲤᲥᲦᲧᲨᲩᲪᲫᲬᲭᲮᲯᲰᲱᲲᲳᲴᲵᲶᲷᲸᲹᲺᲽᲾᲿḀḂḄḆḈḊḌḎḐḒḔḖḘḚḜḞḠḢḤḦḨḪḬḮḰḲḴḶḸḺḼḾṀṂṄṆṈṊṌṎṐṒṔṖṘṚṜṞṠṢṤṦṨṪṬṮṰṲṴṶṸṺṼṾẀẂẄẆẈẊẌẎẐẒẔẞẠẢẤẦẨẪẬẮẰẲẴẶẸẺẼẾỀỂỄỆỈỊỌỎỐỒỔỖỘỚỜỞỠỢỤỦỨỪỬỮỰỲỴỶỸỺỼỾἈἉἊἋἌἍἎἏἘἙἚἛἜἝἨἩἪἫἬἭἮἯἸἹἺἻἼἽἾἿὈὉὊὋὌὍὙὛὝὟὨὩὪὫὬὭὮὯᾈᾉᾊᾋᾌᾍᾎᾏᾘᾙᾚᾛᾜᾝᾞᾟᾨᾩᾪᾫᾬᾭᾮᾯᾸᾹᾺΆᾼῈΈῊΉῌῘῙῚΊῨῩῪΎῬῸΌῺΏῼΩKÅℲⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩⅪⅫⅬⅭⅮⅯↃⒶⒷⒸⒹⒺⒻⒼⒽⒾⒿⓀⓁⓂⓃⓄⓅⓆⓇⓈⓉⓊⓋⓌⓍⓎⓏⰀⰁⰂⰃⰄⰅⰆⰇⰈⰉⰊⰋⰌⰍⰎⰏⰐⰑⰒⰓⰔⰕⰖⰗⰘⰙⰚⰛⰜⰝⰞⰟⰠⰡⰢⰣⰤⰥⰦⰧⰨⰩⰪⰫⰬⰭⰮⰯⱠⱢⱣⱤⱧⱩⱫⱭⱮⱯⱰⱲⱵⱾⱿⲀⲂⲄⲆⲈⲊⲌⲎⲐⲒⲔⲖⲘⲚⲜⲞⲠⲢⲤⲦⲨⲪⲬⲮⲰⲲⲴⲶⲸⲺⲼⲾⳀⳂⳄⳆⳈⳊⳌⳎⳐⳒⳔⳖⳘⳚⳜⳞⳠⳢⳫⳭⳲꙀꙂꙄꙆꙈꙊꙌꙎꙐꙒꙔꙖꙘꙚꙜꙞꙠꙢꙤꙦꙨꙪꙬꚀꚂꚄꚆꚈꚊꚌꚎꚐꚒꚔꚖꚘꚚꜢꜤꜦꜨꜪꜬꜮꜲꜴꜶꜸꜺꜼꜾꝀꝂꝄꝆꝈꝊꝌꝎꝐꝒꝔꝖꝘꝚꝜꝞꝠꝢꝤꝦꝨꝪꝬꝮꝹꝻꝽꝾꞀꞂꞄꞆꞋꞍꞐꞒꞖꞘꞚꞜꞞꞠꞢꞤꞦꞨꞪꞫꞬꞭꞮꞰꞱꞲꞳꞴꞶꞸꞺꞼꞾꟀꟂꟄꟅꟆꟇꟉꟋꟌ꟎Ꟑ꟒꟔ꟖꟘꟚꟜꟵＡＢＣＤＥＦＧＨＩＪＫＬＭＮＯＰＱＲＳＴＵＶＷＸＹＺ𐐀𐐁𐐂𐐃𐐄𐐅𐐆𐐇𐐈𐐉𐐊𐐋𐐌𐐍𐐎𐐏𐐐𐐑𐐒𐐓𐐔𐐕𐐖𐐗𐐘𐐙𐐚𐐛𐐜𐐝𐐞𐐟𐐠𐐡𐐢𐐣𐐤𐐥𐐦𐐧𐒰𐒱𐒲𐒳𐒴𐒵𐒶𐒷𐒸𐒹𐒺𐒻𐒼𐒽𐒾𐒿𐓀𐓁𐓂𐓃𐓄𐓅𐓆𐓇𐓈𐓉𐓊𐓋𐓌𐓍𐓎𐓏𐓐𐓑𐓒𐓓𐕰𐕱𐕲𐕳𐕴𐕵𐕶𐕷𐕸𐕹𐕺𐕼𐕽𐕾𐕿𐖀𐖁𐖂𐖃𐖄𐖅𐖆𐖇𐖈𐖉𐖊𐖌𐖍𐖎𐖏𐖐𐖑𐖒𐖔𐖕𐲀𐲁𐲂𐲃𐲄𐲅𐲆𐲇𐲈𐲉𐲊𐲋𐲌𐲍𐲎𐲏𐲐𐲑𐲒𐲓𐲔𐲕𐲖𐲗𐲘𐲙𐲚𐲛𐲜𐲝𐲞𐲟𐲠𐲡𐲢𐲣𐲤𐲥𐲦𐲧𐲨𐲩𐲪𐲫𐲬𐲭𐲮𐲯𐲰𐲱𐲲𐵐𐵑𐵒𐵓𐵔𐵕𐵖𐵗𐵘𐵙𐵚𐵛𐵜𐵝𐵞𐵟𐵠𐵡𐵢𐵣𐵤𐵥𑢠𑢡𑢢𑢣𑢤𑢥𑢦𑢧𑢨𑢩𑢪𑢫𑢬𑢭𑢮𑢯𑢰𑢱𑢲𑢳𑢴𑢵𑢶𑢷𑢸𑢹𑢺𑢻𑢼𑢽𑢾𑢿𖹀𖹁𖹂𖹃𖹄𖹅𖹆𖹇𖹈𖹉𖹊𖹋𖹌𖹍𖹎𖹏𖹐𖹑𖹒𖹓𖹔𖹕𖹖𖹗𖹘𖹙𖹚𖹛𖹜𖹝𖹞𖹟𖺠𖺡𖺢𖺣𖺤𖺥𖺦𖺧𖺨𖺩𖺪𖺫𖺬𖺭𖺮𖺯𖺰𖺱𖺲𖺳𖺴𖺵𖺶𖺷𖺸𞤀𞤁𞤂𞤃𞤄𞤅𞤆𞤇𞤈𞤉𞤊𞤋𞤌𞤍𞤎𞤏𞤐𞤑𞤒𞤓𞤔𞤕𞤖𞤗𞤘𞤙𞤚𞤛𞤜𞤝𞤞𞤟𞤠𞤡', 'àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþāăąćĉċčďđēĕėęěĝğġģĥħĩīĭįĳĵķĺļľŀłńņňŋōŏőœŕŗřśŝşšţťŧũūŭůűųŵŷÿźżžɓƃƅɔƈɖɗƌǝəɛƒɠɣɩɨƙɯɲɵơƣƥʀƨʃƭʈưʊʋƴƶʒƹƽǆǆǉǉǌǌǎǐǒǔǖǘǚǜǟǡǣǥǧǩǫǭǯǳǳǵƕƿǹǻǽǿȁȃȅȇȉȋȍȏȑȓȕȗșțȝȟƞȣȥȧȩȫȭȯȱȳⱥȼƚⱦɂƀʉʌɇɉɋɍɏͱͳͷϳάέήίόύώαβγδεζηθικλμνξοπρστυφχψωϊϋϗϙϛϝϟϡϣϥϧϩϫϭϯθϸϲϻͻͼͽѐёђѓєѕіїјљњћќѝўџабвгдежзийклмнопрстуфхцчшщъыьэюяѡѣѥѧѩѫѭѯѱѳѵѷѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӂӄӆӈӊӌӎӑӓӕӗәӛӝӟӡӣӥӧөӫӭӯӱӳӵӷӹӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆⴀⴁⴂⴃⴄⴅⴆⴇⴈⴉⴊⴋⴌⴍⴎⴏⴐⴑⴒⴓⴔⴕⴖⴗⴘⴙⴚⴛⴜⴝⴞⴟⴠⴡⴢⴣⴤⴥⴧⴭꭰꭱꭲꭳꭴꭵꭶꭷꭸꭹꭺꭻꭼꭽꭾꭿꮀꮁꮂꮃꮄꮅꮆꮇꮈꮉꮊꮋꮌꮍꮎꮏꮐꮑꮒꮓꮔꮕꮖꮗꮘꮙꮚꮛꮜꮝꮞꮟꮠꮡꮢꮣꮤꮥꮦꮧꮨꮩꮪꮫꮬꮭꮮꮯꮰꮱꮲꮳꮴꮵꮶꮷꮸꮹꮺꮻꮼꮽꮾꮿᏸᏹᏺᏻᏼᏽᲊაბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰჱჲჳჴჵჶჷჸჹჺჽჾჿḁḃḅḇḉḋḍḏḑḓḕḗḙḛḝḟḡḣḥḧḩḫḭḯḱḳḵḷḹḻḽḿṁṃṅṇṉṋṍṏṑṓṕṗṙṛṝṟṡṣṥṧṩṫṭṯṱṳṵṷṹṻṽṿẁẃẅẇẉẋẍẏẑẓẕßạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹỻỽỿἀἁἂἃἄἅἆἇἐἑἒἓἔἕἠἡἢἣἤἥἦἧἰἱἲἳἴἵἶἷὀὁὂὃὄὅὑὓὕὗὠὡὢὣὤὥὦὧᾀᾁᾂᾃᾄᾅᾆᾇᾐᾑᾒᾓᾔᾕᾖᾗᾠᾡᾢᾣᾤᾥᾦᾧᾰᾱὰάᾳὲέὴήῃῐῑὶίῠῡὺύῥὸόὼώῳωkåⅎⅰⅱⅲⅳⅴⅵⅶⅷⅸⅹⅺⅻⅼⅽⅾⅿↄⓐⓑⓒⓓⓔⓕⓖⓗⓘⓙⓚⓛⓜⓝⓞⓟⓠⓡⓢⓣⓤⓥⓦⓧⓨⓩⰰⰱⰲⰳⰴⰵⰶⰷⰸⰹⰺⰻⰼⰽⰾⰿⱀⱁⱂⱃⱄⱅⱆⱇⱈⱉⱊⱋⱌⱍⱎⱏⱐⱑⱒⱓⱔⱕⱖⱗⱘⱙⱚⱛⱜⱝⱞⱟⱡɫᵽɽⱨⱪⱬɑɱɐɒⱳⱶȿɀⲁⲃⲅⲇⲉⲋⲍⲏⲑⲓⲕⲗⲙⲛⲝⲟⲡⲣⲥⲧⲩⲫⲭⲯⲱⲳⲵⲷⲹⲻⲽⲿⳁⳃⳅⳇⳉⳋⳍⳏⳑⳓⳕⳗⳙⳛⳝⳟⳡⳣⳬⳮⳳꙁꙃꙅꙇꙉꙋꙍꙏꙑꙓꙕꙗꙙꙛꙝꙟꙡꙣꙥꙧꙩꙫꙭꚁꚃꚅꚇꚉꚋꚍꚏꚑꚓꚕꚗꚙꚛꜣꜥꜧꜩꜫꜭꜯꜳꜵꜷꜹꜻꜽꜿꝁꝃꝅꝇꝉꝋꝍꝏꝑꝓꝕꝗꝙꝛꝝꝟꝡꝣꝥꝧꝩꝫꝭꝯꝺꝼᵹꝿꞁꞃꞅꞇꞌɥꞑꞓꞗꞙꞛꞝꞟꞡꞣꞥꞧꞩɦɜɡɬɪʞʇʝꭓꞵꞷꞹꞻꞽꞿꟁꟃꞔʂᶎꟈꟊɤꟍ꟏ꟑꟓꟕꟗꟙꟛƛꟶａｂｃｄｅｆｇｈｉｊｋｌｍｎｏｐｑｒｓｔｕｖｗｘｙｚ𐐨𐐩𐐪𐐫𐐬𐐭𐐮𐐯𐐰𐐱𐐲𐐳𐐴𐐵𐐶𐐷𐐸𐐹𐐺𐐻𐐼𐐽𐐾𐐿𐑀𐑁𐑂𐑃𐑄𐑅𐑆𐑇𐑈𐑉𐑊𐑋𐑌𐑍𐑎𐑏𐓘𐓙𐓚𐓛𐓜𐓝𐓞𐓟𐓠𐓡𐓢𐓣𐓤𐓥𐓦𐓧𐓨𐓩𐓪𐓫𐓬𐓭𐓮𐓯𐓰𐓱𐓲𐓳𐓴𐓵𐓶𐓷𐓸𐓹𐓺𐓻𐖗𐖘𐖙𐖚𐖛𐖜𐖝𐖞𐖟𐖠𐖡𐖣𐖤𐖥𐖦𐖧𐖨𐖩𐖪𐖫𐖬𐖭𐖮𐖯𐖰𐖱𐖳𐖴𐖵𐖶𐖷𐖸𐖹𐖻𐖼𐳀𐳁𐳂𐳃𐳄𐳅𐳆𐳇𐳈𐳉𐳊𐳋𐳌𐳍𐳎𐳏𐳐𐳑𐳒𐳓𐳔𐳕𐳖𐳗𐳘𐳙𐳚𐳛𐳜𐳝𐳞𐳟𐳠𐳡𐳢𐳣𐳤𐳥𐳦𐳧𐳨𐳩𐳪𐳫𐳬𐳭𐳮𐳯𐳰𐳱𐳲𐵰𐵱𐵲𐵳𐵴𐵵𐵶𐵷𐵸𐵹𐵺𐵻𐵼𐵽𐵾𐵿𐶀𐶁𐶂𐶃𐶄𐶅𑣀𑣁𑣂𑣃𑣄𑣅𑣆𑣇𑣈𑣉𑣊𑣋𑣌𑣍𑣎𑣏𑣐𑣑𑣒𑣓𑣔𑣕𑣖𑣗𑣘𑣙𑣚𑣛𑣜𑣝𑣞𑣟𖹠𖹡𖹢𖹣𖹤𖹥𖹦𖹧𖹨𖹩𖹪𖹫𖹬𖹭𖹮𖹯𖹰𖹱𖹲𖹳𖹴𖹵𖹶𖹷𖹸𖹹𖹺𖹻𖹼𖹽𖹾𖹿𖺻𖺼𖺽𖺾𖺿𖻀𖻁𖻂𖻃𖻄𖻅𖻆𖻇𖻈𖻉𖻊𖻋𖻌𖻍𖻎𖻏𖻐𖻑𖻒𖻓𞤢𞤣𞤤𞤥𞤦𞤧𞤨𞤩𞤪𞤫𞤬𞤭𞤮𞤯𞤰𞤱𞤲𞤳𞤴𞤵𞤶𞤷𞤸𞤹𞤺𞤻𞤼𞤽𞤾𞤿𞥀𞥁𞥂𞥃')),
        'İ', 'i̇');
end $$;

ALTER FUNCTION content.small_letters(value text) OWNER TO underway_owner;

CREATE FUNCTION content.compared_text(value text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (octet_length(value) = char_length(value)) THEN btrim(regexp_replace(lower((value COLLATE "C")), '[\u0009-\u000D\u0020]+'::text, ' '::text, 'g'::text), ' '::text) ELSE NORMALIZE(btrim(regexp_replace((content.small_letters(value) COLLATE "C"), '[\u0009-\u000D\u0020\u0085\u00A0\u1680\u2000-\u200A\u2028-\u2029\u202F\u205F\u3000]+'::text, ' '::text, 'g'::text), ' '::text), NFC) END;

ALTER FUNCTION content.compared_text(value text) OWNER TO underway_owner;

CREATE FUNCTION content.decimal_text(value text) RETURNS numeric
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    AS $_$
declare
    part text[] := regexp_match(
        value collate "C",
        '^([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?)0*([0-9]{1,3}))?$');
    mantissa text := part[2] || coalesce(part[3], '');
    digits text := btrim(mantissa, '0');
    power integer := length(part[2]) - 1 + coalesce((part[4] || part[5])::integer, 0)
        - (length(mantissa) - length(ltrim(mantissa, '0')));
begin
    if mantissa = '' then return null; end if;
    if digits = '' then return 0; end if;
    if length(digits) > 30 or abs(power) > 99 then return null; end if;
    return (part[1] || digits || 'e' || (power - length(digits) + 1))::numeric;
end $_$;

ALTER FUNCTION content.decimal_text(value text) OWNER TO underway_owner;

CREATE FUNCTION content.plain_number(value double precision) RETURNS numeric
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    AS $$
declare
    number numeric := value::numeric;
begin
    return case when number::double precision = value
        and (number <> trunc(number) or abs(number) < 1e14 or abs(value) > 18014398509481984)
        and abs(number) >= 1e-99 and abs(number) < 1e100
        then number end;
end $$;

ALTER FUNCTION content.plain_number(value double precision) OWNER TO underway_owner;

CREATE FUNCTION content.decimal_value(value jsonb) RETURNS numeric
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (jsonb_typeof(value) = 'string'::text) THEN content.decimal_text((value #>> '{}'::text[])) WHEN (jsonb_typeof(value) <> 'number'::text) THEN NULL::numeric WHEN (((value #>> '{}'::text[]) !~ '\.'::text) AND (((value)::numeric >= ('-9223372036854775808'::bigint)::numeric) AND ((value)::numeric <= ('9223372036854775807'::bigint)::numeric))) THEN (value)::numeric WHEN (abs((value)::numeric) <= 0.00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000247032822920623272088284396434110686) THEN (0)::numeric WHEN ((abs((value)::numeric) >= 0.0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001) AND (abs((value)::numeric) <= '10000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)) THEN content.plain_number((value)::double precision) ELSE NULL::numeric END;

ALTER FUNCTION content.decimal_value(value jsonb) OWNER TO underway_owner;

CREATE FUNCTION content.identifier_ok(value text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN COALESCE(((value COLLATE "C") ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'::text), false);

ALTER FUNCTION content.identifier_ok(value text) OWNER TO underway_owner;

CREATE FUNCTION content.is_visible(value text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN COALESCE(((value COLLATE "C") ~ '[^\u0009-\u000D\u0020\u0085\u00A0\u00AD\u034F\u061C\u115F-\u1160\u1680\u17B4-\u17B5\u180B-\u180F\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFF8\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]'::text), false);

ALTER FUNCTION content.is_visible(value text) OWNER TO underway_owner;

CREATE FUNCTION content.text_ok(value text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN COALESCE((octet_length(value) <= 16384), false);

ALTER FUNCTION content.text_ok(value text) OWNER TO underway_owner;

CREATE FUNCTION content.number_ok(number jsonb) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN COALESCE(CASE WHEN (jsonb_typeof(number) = 'object'::text) THEN (((number - ARRAY['value'::text, 'tolerance'::text, 'relativeTolerance'::text, 'from'::text, 'to'::text, 'unit'::text]) = '{}'::jsonb) AND CASE COALESCE(jsonb_typeof((number -> 'unit'::text)), 'null'::text) WHEN 'null'::text THEN true WHEN 'string'::text THEN (content.is_visible((number ->> 'unit'::text)) AND content.text_ok((number ->> 'unit'::text))) ELSE false END AND (SELECT CASE WHEN (present.part ?| ARRAY['from'::text, 'to'::text]) THEN ((NOT (present.part ?| ARRAY['value'::text, 'tolerance'::text, 'relativeTolerance'::text])) AND (content.decimal_value((present.part -> 'from'::text)) < content.decimal_value((present.part -> 'to'::text)))) WHEN (present.part ? 'relativeTolerance'::text) THEN ((NOT (present.part ? 'tolerance'::text)) AND (content.decimal_value((present.part -> 'value'::text)) <> (0)::numeric) AND (content.decimal_value((present.part -> 'relativeTolerance'::text)) >= (0)::numeric) AND (content.decimal_value((present.part -> 'relativeTolerance'::text)) < (1)::numeric)) WHEN (present.part ? 'tolerance'::text) THEN ((content.decimal_value((present.part -> 'value'::text)) IS NOT NULL) AND (content.decimal_value((present.part -> 'tolerance'::text)) >= (0)::numeric)) ELSE (content.decimal_value((present.part -> 'value'::text)) IS NOT NULL) END AS "case" FROM (SELECT jsonb_strip_nulls(number_ok.number) AS part) present)) ELSE NULL::boolean END, false);

ALTER FUNCTION content.number_ok(number jsonb) OWNER TO underway_owner;

CREATE FUNCTION content.key_ok(type text, key jsonb, options integer) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN COALESCE(CASE WHEN (type = 'numeric-entry'::text) THEN content.number_ok(key) WHEN (jsonb_typeof(key) = 'array'::text) THEN (CASE type WHEN 'single-choice'::text THEN (jsonb_array_length(key) = 1) WHEN 'code-snippet'::text THEN (jsonb_array_length(key) = 1) WHEN 'multi-choice'::text THEN (jsonb_array_length(key) >= 1) WHEN 'ordering'::text THEN (jsonb_array_length(key) = options) ELSE false END AND (SELECT (bool_and(CASE WHEN (jsonb_typeof(place.value) <> 'number'::text) THEN false WHEN ((place.value #>> '{}'::text[]) !~ '^[0-9]{1,2}$'::text) THEN false ELSE ((place.value)::integer < key_ok.options) END) AND (count(DISTINCT place.value) = count(*))) FROM jsonb_array_elements(key_ok.key) place(value))) ELSE NULL::boolean END, false);

ALTER FUNCTION content.key_ok(type text, key jsonb, options integer) OWNER TO underway_owner;

CREATE FUNCTION content.option_count(options jsonb) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (jsonb_typeof(options) = 'array'::text) THEN jsonb_array_length(options) ELSE 0 END;

ALTER FUNCTION content.option_count(options jsonb) OWNER TO underway_owner;

CREATE FUNCTION content.path_ok(value text) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    AS $_$
begin
    return coalesce(
        octet_length(value) between 1 and 512
        and value collate "C" !~ '(^|/)([./]|$)'
        and value collate "C" !~ '[\u0001-\u001F\u007F\\:%?#"*|]'
        and (octet_length(value) <= 255 or (
            select bool_and(octet_length(part) <= 255)
            from string_to_table(value, '/') as part)),
        false);
end $_$;

ALTER FUNCTION content.path_ok(value text) OWNER TO underway_owner;

CREATE FUNCTION content.option_ok(option jsonb) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN COALESCE(CASE WHEN (jsonb_typeof(option) = 'object'::text) THEN (((option - ARRAY['id'::text, 'text'::text, 'image'::text, 'pinned'::text, 'feedback'::text]) = '{}'::jsonb) AND CASE WHEN (jsonb_typeof((option -> 'id'::text)) = 'string'::text) THEN content.identifier_ok((option ->> 'id'::text)) ELSE false END AND CASE COALESCE(jsonb_typeof((option -> 'text'::text)), 'null'::text) WHEN 'null'::text THEN true WHEN 'string'::text THEN content.text_ok((option ->> 'text'::text)) ELSE false END AND CASE COALESCE(jsonb_typeof((option -> 'image'::text)), 'null'::text) WHEN 'null'::text THEN content.is_visible((option ->> 'text'::text)) WHEN 'string'::text THEN content.path_ok((option ->> 'image'::text)) ELSE false END AND (COALESCE(jsonb_typeof((option -> 'pinned'::text)), 'null'::text) = ANY (ARRAY['null'::text, 'boolean'::text])) AND CASE COALESCE(jsonb_typeof((option -> 'feedback'::text)), 'null'::text) WHEN 'null'::text THEN true WHEN 'string'::text THEN content.text_ok((option ->> 'feedback'::text)) ELSE false END) ELSE NULL::boolean END, false);

ALTER FUNCTION content.option_ok(option jsonb) OWNER TO underway_owner;

CREATE FUNCTION content.spaced_text(value text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN NORMALIZE(btrim(regexp_replace((value COLLATE "C"), '[\u0009-\u000D\u0020\u0085\u00A0\u1680\u2000-\u200A\u2028-\u2029\u202F\u205F\u3000]+'::text, ' '::text, 'g'::text), ' '::text), NFC);

ALTER FUNCTION content.spaced_text(value text) OWNER TO underway_owner;

CREATE FUNCTION content.options_ok(options jsonb) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN COALESCE(CASE WHEN (jsonb_typeof(options) = 'array'::text) THEN (((jsonb_array_length(options) >= 2) AND (jsonb_array_length(options) <= 64)) AND (SELECT (bool_and(content.option_ok(option.value)) AND (count(DISTINCT ((option.value ->> 'id'::text) COLLATE "C")) = count(*)) AND (count(DISTINCT ROW((content.spaced_text(COALESCE((option.value ->> 'text'::text), ''::text)) COLLATE "C"), (NORMALIZE(COALESCE((option.value ->> 'image'::text), ''::text), NFC) COLLATE "C"))) = count(*))) FROM jsonb_array_elements(options_ok.options) option(value))) ELSE NULL::boolean END, false);

ALTER FUNCTION content.options_ok(options jsonb) OWNER TO underway_owner;

SET default_tablespace = '';

SET default_table_access_method = heap;

CREATE TABLE content.questions (
    region text NOT NULL COLLATE pg_catalog."C",
    exam text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    domain text COLLATE pg_catalog."C",
    type text NOT NULL,
    difficulty integer NOT NULL,
    stem text NOT NULL,
    code_language text,
    code text,
    image text,
    options jsonb,
    correct jsonb NOT NULL,
    explanation text,
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    shuffles boolean DEFAULT true NOT NULL,
    retired boolean DEFAULT false NOT NULL,
    bytes integer NOT NULL,
    checksum text NOT NULL,
    content_updated_at timestamp with time zone NOT NULL,
    revision bigint NOT NULL,
    CONSTRAINT questions_bytes_check CHECK ((bytes > 0)),
    CONSTRAINT questions_code_check CHECK (content.text_ok(COALESCE(code, ''::text))),
    CONSTRAINT questions_correct_check CHECK (content.key_ok(type, correct, content.option_count(options))),
    CONSTRAINT questions_difficulty_check CHECK (((difficulty >= 1) AND (difficulty <= 5))),
    CONSTRAINT questions_explanation_check CHECK (content.text_ok(COALESCE(explanation, ''::text))),
    CONSTRAINT questions_id_check CHECK (content.identifier_ok(id)),
    CONSTRAINT questions_image_check CHECK (((image IS NULL) OR content.path_ok(image))),
    CONSTRAINT questions_options_check CHECK (
CASE
    WHEN (type = 'numeric-entry'::text) THEN (options IS NULL)
    ELSE content.options_ok(options)
END),
    CONSTRAINT questions_revision_check CHECK ((revision > 0)),
    CONSTRAINT questions_snippet_check CHECK ((((code IS NULL) = (code_language IS NULL)) AND ((type <> 'code-snippet'::text) OR (code IS NOT NULL)))),
    CONSTRAINT questions_stem_check CHECK ((content.is_visible(stem) AND content.text_ok(stem))),
    CONSTRAINT questions_tags_check CHECK ((array_position(tags, NULL::text) IS NULL)),
    CONSTRAINT questions_type_check CHECK ((type = ANY (ARRAY['single-choice'::text, 'multi-choice'::text, 'ordering'::text, 'code-snippet'::text, 'numeric-entry'::text])))
);

ALTER TABLE content.questions OWNER TO underway_owner;

CREATE FUNCTION content.question_json(q content.questions) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN jsonb_strip_nulls(jsonb_build_object('id', (q).id, 'type', (q).type, 'domain', (q).domain, 'difficulty', (q).difficulty, 'stem', (q).stem, 'image', (q).image, 'options', (q).options, 'explanation', (q).explanation, 'code', CASE WHEN ((q).code IS NOT NULL) THEN jsonb_build_object('language', (q).code_language, 'text', (q).code) ELSE NULL::jsonb END, 'correct', CASE WHEN ((q).type <> 'numeric-entry'::text) THEN (q).correct ELSE NULL::jsonb END, 'number', CASE WHEN ((q).type = 'numeric-entry'::text) THEN (q).correct ELSE NULL::jsonb END, 'tags', CASE WHEN (cardinality((q).tags) > 0) THEN to_jsonb((q).tags) ELSE NULL::jsonb END, 'shuffle', CASE WHEN (NOT (q).shuffles) THEN false ELSE NULL::boolean END, 'retired', CASE WHEN (q).retired THEN true ELSE NULL::boolean END));

ALTER FUNCTION content.question_json(q content.questions) OWNER TO underway_owner;

CREATE TABLE content.removed_questions (
    region text NOT NULL COLLATE pg_catalog."C",
    exam text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    content_updated_at timestamp with time zone NOT NULL,
    revision bigint NOT NULL
);

ALTER TABLE content.removed_questions OWNER TO underway_owner;

CREATE FUNCTION content.exam_changes(of_region text, of_exam text, after_time timestamp with time zone, after_revision bigint, after_id text, rows_max integer, bytes_max bigint) RETURNS TABLE(id text, content_updated_at timestamp with time zone, revision bigint, question jsonb, more boolean)
    LANGUAGE sql STABLE PARALLEL SAFE
    BEGIN ATOMIC
 WITH present AS (
          SELECT q.id,
             q.content_updated_at,
             q.revision,
             q.bytes,
             true AS is_present
            FROM content.questions q
           WHERE ((q.region = exam_changes.of_region) AND (q.exam = exam_changes.of_exam) AND (ROW(q.content_updated_at, q.revision, q.id) > ROW(exam_changes.after_time, exam_changes.after_revision, exam_changes.after_id)))
           ORDER BY q.content_updated_at, q.revision, q.id
          LIMIT (exam_changes.rows_max + 1)
         ), removed AS (
          SELECT r.id,
             r.content_updated_at,
             r.revision,
             80 AS bytes,
             false AS is_present
            FROM content.removed_questions r
           WHERE ((r.region = exam_changes.of_region) AND (r.exam = exam_changes.of_exam) AND (ROW(r.content_updated_at, r.revision, r.id) > ROW(exam_changes.after_time, exam_changes.after_revision, exam_changes.after_id)))
           ORDER BY r.content_updated_at, r.revision, r.id
          LIMIT (exam_changes.rows_max + 1)
         ), both_kinds AS (
          SELECT present.id,
             present.content_updated_at,
             present.revision,
             present.bytes,
             present.is_present
            FROM present
         UNION ALL
          SELECT removed.id,
             removed.content_updated_at,
             removed.revision,
             removed.bytes,
             removed.is_present
            FROM removed
         ), numbered AS (
          SELECT b.id,
             b.content_updated_at,
             b.revision,
             b.bytes,
             b.is_present,
             row_number() OVER in_order AS number,
             count(*) OVER () AS total,
             sum(b.bytes) OVER in_order AS bytes_so_far
            FROM both_kinds b
           WINDOW in_order AS (ORDER BY b.content_updated_at, b.revision, b.id)
         ), page AS (
          SELECT n.id,
             n.content_updated_at,
             n.revision,
             n.bytes,
             n.is_present,
             n.number,
             n.total,
             n.bytes_so_far
            FROM numbered n
           WHERE ((n.number <= exam_changes.rows_max) AND ((n.number = 1) OR (n.bytes_so_far <= exam_changes.bytes_max)))
         )
  SELECT p.id,
     p.content_updated_at,
     p.revision,
         CASE
             WHEN p.is_present THEN ( SELECT content.question_json(q.*) AS question_json
                FROM content.questions q
               WHERE ((q.region = exam_changes.of_region) AND (q.exam = exam_changes.of_exam) AND (q.id = p.id)))
             ELSE NULL::jsonb
         END AS "case",
     (p.number < p.total)
    FROM page p
   ORDER BY p.number;
END;

ALTER FUNCTION content.exam_changes(of_region text, of_exam text, after_time timestamp with time zone, after_revision bigint, after_id text, rows_max integer, bytes_max bigint) OWNER TO underway_owner;

CREATE FUNCTION content.exam_questions(of_region text, of_exam text, of_difficulty integer DEFAULT NULL::integer) RETURNS SETOF content.questions
    LANGUAGE sql STABLE PARALLEL SAFE
    BEGIN ATOMIC
 SELECT q.region,
     q.exam,
     q.id,
     q.domain,
     q.type,
     q.difficulty,
     q.stem,
     q.code_language,
     q.code,
     q.image,
     q.options,
     q.correct,
     q.explanation,
     q.tags,
     q.shuffles,
     q.retired,
     q.bytes,
     q.checksum,
     q.content_updated_at,
     q.revision
    FROM content.questions q
   WHERE ((q.region = exam_questions.of_region) AND (q.exam = exam_questions.of_exam) AND ((exam_questions.of_difficulty IS NULL) OR (q.difficulty = exam_questions.of_difficulty)) AND (NOT q.retired));
END;

ALTER FUNCTION content.exam_questions(of_region text, of_exam text, of_difficulty integer) OWNER TO underway_owner;

CREATE FUNCTION underway.answer_names_1(p_versions integer[], p_options integer[], p_sessions integer[]) RETURNS TABLE(number integer, kind text, bank text, question text, domain text, text text)
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
DECLARE
    v_account bigint := claim();
BEGIN
    RETURN QUERY
        SELECT v.number, v.kind, q.bank, q.text, v.domain, v.text
            FROM unnest(p_versions) u (number)
                CROSS JOIN LATERAL (SELECT * FROM own_name v
                    WHERE v.account = v_account AND v.number = u.number LIMIT 1) v
                CROSS JOIN LATERAL (SELECT * FROM own_name q
                    WHERE q.account = v_account AND q.number = v.question LIMIT 1) q
        UNION ALL
        SELECT o.number, o.kind, NULL, NULL, NULL, o.text
            FROM unnest(p_options) u (number)
                CROSS JOIN LATERAL (SELECT * FROM own_name o
                    WHERE o.account = v_account AND o.number = u.number LIMIT 1) o
        UNION ALL
        SELECT s.number, 'session', NULL, NULL, s.name, s.mode
            FROM unnest(p_sessions) u (number)
                CROSS JOIN LATERAL (SELECT * FROM session s
                    WHERE s.account = v_account AND s.number = u.number LIMIT 1) s;
END $$;

ALTER FUNCTION underway.answer_names_1(p_versions integer[], p_options integer[], p_sessions integer[]) OWNER TO underway_owner;

CREATE TABLE underway.answer (
    account bigint NOT NULL,
    at bigint,
    device integer NOT NULL,
    counter integer NOT NULL,
    question integer,
    session integer,
    options integer,
    taken integer,
    exposures integer,
    flags smallint,
    credit double precision,
    response text,
    offset_minutes smallint,
    CONSTRAINT answer_at_check CHECK ((at >= 0)),
    CONSTRAINT answer_check CHECK ((((question IS NULL) = (at IS NULL)) AND ((question IS NULL) = (session IS NULL)) AND ((question IS NULL) = (taken IS NULL)) AND ((question IS NULL) = (exposures IS NULL)) AND ((question IS NULL) = (flags IS NULL)) AND ((question IS NULL) = ((options IS NULL) AND (response IS NULL))) AND ((options IS NULL) OR (response IS NULL)) AND ((question IS NOT NULL) OR (credit IS NULL)))),
    CONSTRAINT answer_counter_check CHECK ((counter > 0)),
    CONSTRAINT answer_exposures_check CHECK ((exposures >= 0)),
    CONSTRAINT answer_offset_minutes_check CHECK (((offset_minutes >= '-1080'::integer) AND (offset_minutes <= 1080))),
    CONSTRAINT answer_taken_check CHECK (((taken >= 0) AND (taken <= 86400000)))
);

ALTER TABLE ONLY underway.answer FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.answer OWNER TO underway_owner;

CREATE TABLE underway.own_name (
    account bigint NOT NULL,
    number integer NOT NULL,
    kind text NOT NULL,
    digest uuid NOT NULL,
    question integer,
    bank text COLLATE pg_catalog."C",
    domain text COLLATE pg_catalog."C",
    text text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT own_name_check CHECK ((((kind = 'question'::text) = (bank IS NOT NULL)) AND ((kind = 'version'::text) = (question IS NOT NULL)) AND ((kind = 'version'::text) OR (domain IS NULL)))),
    CONSTRAINT own_name_kind_check CHECK ((kind = ANY (ARRAY['question'::text, 'version'::text, 'options'::text]))),
    CONSTRAINT own_name_number_check CHECK ((number < 0))
);

ALTER TABLE ONLY underway.own_name FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.own_name OWNER TO underway_owner;

CREATE FUNCTION underway.counted_answers_1(p_account bigint) RETURNS TABLE(day integer, bank text, domain text, question integer, correct integer, taken integer, at bigint)
    LANGUAGE sql STABLE PARALLEL SAFE
    BEGIN ATOMIC
 SELECT (LEAST((a.at / 86400000), (2932896)::bigint))::integer AS "least",
     q.bank,
     COALESCE(v.domain, ''::text) AS "coalesce",
     q.number,
     ((a.flags)::integer & 1),
     a.taken,
     a.at
    FROM ((underway.answer a
      JOIN underway.own_name v ON (((v.account = a.account) AND (v.number = a.question))))
      JOIN underway.own_name q ON (((q.account = v.account) AND (q.number = v.question))))
   WHERE (a.account = counted_answers_1.p_account);
END;

ALTER FUNCTION underway.counted_answers_1(p_account bigint) OWNER TO underway_owner;

CREATE FUNCTION underway.time_step(milliseconds integer) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN (milliseconds < 10000) THEN (milliseconds / 250) WHEN (milliseconds < 60000) THEN (40 + ((milliseconds - 10000) / 2000)) WHEN (milliseconds < 600000) THEN (65 + ((milliseconds - 60000) / 30000)) ELSE 83 END;

ALTER FUNCTION underway.time_step(milliseconds integer) OWNER TO underway_owner;

CREATE FUNCTION underway.answer_sums_1(p_account bigint) RETURNS TABLE(day integer, bank text, domain text, answers integer, correct integer, taken bigint, last_at bigint, histogram integer[])
    LANGUAGE sql STABLE PARALLEL SAFE
    BEGIN ATOMIC
 WITH counted AS (
          SELECT c.day,
             c.bank,
             c.domain,
             c.question,
             c.correct,
             c.taken,
             c.at,
             underway.time_step(c.taken) AS step
            FROM underway.counted_answers_1(answer_sums_1.p_account) c(day, bank, domain, question, correct, taken, at)
         ), steps AS (
          SELECT c.day,
             c.bank,
             c.domain,
             c.step,
             count(*) AS answers
            FROM counted c
           GROUP BY c.day, c.bank, c.domain, c.step
         ), filled AS (
          SELECT s_1.day,
             s_1.bank,
             s_1.domain,
             s_1.step,
             s_1.answers
            FROM steps s_1
         UNION ALL
          SELECT t.day,
             t.bank,
             t.domain,
             g.step,
             0
            FROM (( SELECT s_1.day,
                     s_1.bank,
                     s_1.domain,
                     max(s_1.step) AS step
                    FROM steps s_1
                   GROUP BY s_1.day, s_1.bank, s_1.domain) t
              CROSS JOIN LATERAL generate_series(0, t.step) g(step))
         ), whole AS (
          SELECT f.day,
             f.bank,
             f.domain,
             f.step,
             (sum(f.answers))::integer AS answers
            FROM filled f
           GROUP BY f.day, f.bank, f.domain, f.step
         ), histograms AS (
          SELECT w.day,
             w.bank,
             w.domain,
             array_agg(w.answers ORDER BY w.step) AS histogram
            FROM whole w
           GROUP BY w.day, w.bank, w.domain
         ), sums AS (
          SELECT c.day,
             c.bank,
             c.domain,
             (count(*))::integer AS answers,
             (sum(c.correct))::integer AS correct,
             sum(c.taken) AS taken,
             max(c.at) AS last_at
            FROM counted c
           GROUP BY c.day, c.bank, c.domain
         )
  SELECT s.day,
     s.bank,
     s.domain,
     s.answers,
     s.correct,
     s.taken,
     s.last_at,
     h.histogram
    FROM (sums s
      JOIN histograms h ON (((h.day = s.day) AND (h.bank = s.bank) AND (h.domain = s.domain))));
END;

ALTER FUNCTION underway.answer_sums_1(p_account bigint) OWNER TO underway_owner;

CREATE FUNCTION underway.answers_1(p_devices text[], p_firsts bigint[], p_lasts bigint[], p_bytes bigint) RETURNS TABLE(place integer, counter integer, question integer, session integer, options integer, at bigint, taken integer, exposures integer, flags smallint, credit double precision, response text)
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT r.place, r.counter, r.question, r.session, r.options, r.at, r.taken, r.exposures,
            r.flags, r.credit, r.response
        FROM (
            SELECT u.place::integer AS place, a.*,
                sum(CASE WHEN a.question IS NULL THEN 1
                    ELSE 64 + coalesce(octet_length(a.response), 0) END)
                    OVER (ORDER BY u.place, a.counter
                        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before,
                row_number() OVER (ORDER BY u.place, a.counter) AS count
            FROM unnest(p_devices, p_firsts, p_lasts) WITH ORDINALITY
                u (device, first, last, place)
                JOIN device d ON d.account = claim() AND d.name = u.device
                JOIN answer a ON a.account = d.account AND a.device = d.number
                    AND a.counter BETWEEN u.first AND u.last) r
        WHERE r.bytes_before <= p_bytes OR r.count <= 2
        ORDER BY r.place, r.counter;
END $$;

ALTER FUNCTION underway.answers_1(p_devices text[], p_firsts bigint[], p_lasts bigint[], p_bytes bigint) OWNER TO underway_owner;

CREATE FUNCTION underway.answers_2(p_devices text[], p_firsts bigint[], p_lasts bigint[], p_bytes bigint) RETURNS TABLE(place integer, counter integer, question integer, session integer, options integer, at bigint, taken integer, exposures integer, flags smallint, credit double precision, response text, offset_minutes smallint)
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT r.place, r.counter, r.question, r.session, r.options, r.at, r.taken, r.exposures,
            r.flags, r.credit, r.response, r.offset_minutes
        FROM (
            SELECT u.place::integer AS place, a.*,
                sum(CASE WHEN a.question IS NULL THEN 1
                    ELSE 64 + coalesce(octet_length(a.response), 0) END)
                    OVER (ORDER BY u.place, a.counter
                        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before,
                row_number() OVER (ORDER BY u.place, a.counter) AS count
            FROM unnest(p_devices, p_firsts, p_lasts) WITH ORDINALITY
                u (device, first, last, place)
                JOIN device d ON d.account = claim() AND d.name = u.device
                JOIN answer a ON a.account = d.account AND a.device = d.number
                    AND a.counter BETWEEN u.first AND u.last) r
        WHERE r.bytes_before <= p_bytes OR r.count <= 2
        ORDER BY r.place, r.counter;
END $$;

ALTER FUNCTION underway.answers_2(p_devices text[], p_firsts bigint[], p_lasts bigint[], p_bytes bigint) OWNER TO underway_owner;

CREATE FUNCTION underway.audit_end() RETURNS bigint
    LANGUAGE sql STABLE
    SET search_path TO 'underway', 'pg_temp'
    AS $$ SELECT (extract(epoch FROM now()) * 1000)::bigint - 62208000000 $$;

ALTER FUNCTION underway.audit_end() OWNER TO underway_owner;

CREATE FUNCTION underway.token_user() RETURNS uuid
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN CASE WHEN COALESCE(((((NULLIF(current_setting('request.jwt.claims'::text, true), ''::text))::jsonb ->> 'exp'::text))::numeric > EXTRACT(epoch FROM now())), true) THEN auth.uid() ELSE NULL::uuid END;

ALTER FUNCTION underway.token_user() OWNER TO underway_owner;

CREATE FUNCTION underway.claim() RETURNS bigint
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN CASE WHEN (split_part(current_setting('underway.account'::text, true), ' '::text, 2) = (underway.token_user())::text) THEN (split_part(current_setting('underway.account'::text, true), ' '::text, 1))::bigint ELSE NULL::bigint END;

ALTER FUNCTION underway.claim() OWNER TO underway_owner;

CREATE FUNCTION underway.count_answers(p_names integer[], p_days integer[], p_banks text[], p_domains text[], p_answers integer[], p_correct integer[], p_taken bigint[], p_lasts bigint[], p_histograms text[], p_day_questions integer[], p_day_places integer[], p_domain_questions integer[], p_domain_places integer[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_nestloop TO 'off'
    AS $$
BEGIN
    WITH of_day AS (
        SELECT p_names[u.question] AS question, p_days[u.place] AS day, u.place
        FROM unnest(p_day_questions, p_day_places) u (question, place)
    ), new_of_day AS (
        INSERT INTO question_day (account, day, question)
            SELECT claim(), day, question FROM of_day
            ON CONFLICT DO NOTHING RETURNING day, question
    ), of_domain AS (
        SELECT p_names[u.question] AS question, p_domains[u.place] AS domain, u.place
        FROM unnest(p_domain_questions, p_domain_places) u (question, place)
    ), new_of_domain AS (
        INSERT INTO question_domain (account, question, domain)
            SELECT claim(), question, domain FROM of_domain
            ON CONFLICT DO NOTHING RETURNING question, domain
    ), days AS (
        SELECT place, count(*) AS questions FROM of_day JOIN new_of_day USING (day, question)
        GROUP BY place
    ), domains AS (
        SELECT place, count(*) AS questions
        FROM of_domain JOIN new_of_domain USING (question, domain) GROUP BY place
    )
    INSERT INTO answer_day (account, day, bank, domain, answers, correct, questions_of_day,
            questions_of_domain, taken, last_at, histogram)
        SELECT claim(), u.day, u.bank, u.domain, u.answers, u.correct,
            coalesce(days.questions, 0), coalesce(domains.questions, 0), u.taken, u.last_at,
            u.histogram::integer[]
        FROM unnest(p_days, p_banks, p_domains, p_answers, p_correct, p_taken, p_lasts,
            p_histograms) WITH ORDINALITY
            u (day, bank, domain, answers, correct, taken, last_at, histogram, place)
            LEFT JOIN days USING (place) LEFT JOIN domains USING (place)
        ON CONFLICT (account, day, bank, domain) DO UPDATE SET
            answers = answer_day.answers + excluded.answers,
            correct = answer_day.correct + excluded.correct,
            questions_of_day = answer_day.questions_of_day + excluded.questions_of_day,
            questions_of_domain = answer_day.questions_of_domain + excluded.questions_of_domain,
            taken = answer_day.taken + excluded.taken,
            last_at = greatest(answer_day.last_at, excluded.last_at),
            histogram = ARRAY(
                SELECT coalesce(h.one, 0) + coalesce(h.other, 0)
                FROM unnest(answer_day.histogram, excluded.histogram)
                    WITH ORDINALITY h (one, other, place) ORDER BY h.place);
END $$;

ALTER FUNCTION underway.count_answers(p_names integer[], p_days integer[], p_banks text[], p_domains text[], p_answers integer[], p_correct integer[], p_taken bigint[], p_lasts bigint[], p_histograms text[], p_day_questions integer[], p_day_places integer[], p_domain_questions integer[], p_domain_places integer[]) OWNER TO underway_owner;

CREATE FUNCTION underway.enter_1(p_lock boolean) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
    v_user uuid := token_user();
    v_account bigint;
BEGIN
    IF p_lock THEN
        SELECT number INTO v_account FROM account WHERE user_id = v_user
            FOR NO KEY UPDATE;
    ELSE
        SELECT number INTO v_account FROM account WHERE user_id = v_user;
    END IF;
    IF v_account IS NULL THEN
        RAISE EXCEPTION USING errcode = 'UL001', message = 'no such account';
    END IF;
    PERFORM set_config('underway.account', v_account || ' ' || v_user, TRUE);
    RETURN v_account;
END $$;

ALTER FUNCTION underway.enter_1(p_lock boolean) OWNER TO underway_owner;

CREATE FUNCTION underway.erase_1(p_limit bigint) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'underway', 'pg_temp'
    AS $_$
DECLARE
    v_account bigint;
    v_table regclass;
    v_left bigint := p_limit;
    v_count bigint;
BEGIN
    SELECT number INTO v_account FROM account WHERE deleted_at IS NOT NULL AND id NOT LIKE 'moving %'
        LIMIT 1 FOR UPDATE SKIP LOCKED;
    -- None, or another process is at it.
    IF v_account IS NULL THEN
        RETURN TRUE;
    END IF;
    PERFORM set_config('underway.erased', v_account::text, TRUE);
    -- Rows that refer to others of the account come before these: they were created later.
    FOR v_table IN
        SELECT c.oid FROM pg_catalog.pg_class c
            JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attname = 'account'
        WHERE c.relnamespace = 'underway'::regnamespace AND c.relkind = 'r'
        ORDER BY c.oid DESC
    LOOP
        EXECUTE format('delete from %s where ctid = any (array(
            select ctid from %s where account = $1 limit $2))', v_table, v_table)
            USING v_account, v_left;
        GET DIAGNOSTICS v_count = ROW_COUNT;
        v_left := v_left - v_count;
        EXIT WHEN v_left <= 0;
    END LOOP;
    IF v_left > 0 THEN
        DELETE FROM account WHERE number = v_account;
    END IF;
    PERFORM set_config('underway.erased', '', TRUE);
    RETURN FALSE;
END $_$;

ALTER FUNCTION underway.erase_1(p_limit bigint) OWNER TO underway_owner;

CREATE FUNCTION underway.erase_answers() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'underway', 'pg_temp'
    AS $$
BEGIN
    PERFORM set_config('underway.erased', old.number::text, TRUE);
    DELETE FROM answer WHERE account = old.number;
    DELETE FROM question_day WHERE account = old.number;
    DELETE FROM question_domain WHERE account = old.number;
    PERFORM set_config('underway.erased', '', TRUE);
    RETURN NULL;
END $$;

ALTER FUNCTION underway.erase_answers() OWNER TO underway_owner;

CREATE FUNCTION underway.erased() RETURNS bigint
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (NULLIF(current_setting('underway.erased'::text, true), ''::text))::bigint;

ALTER FUNCTION underway.erased() OWNER TO underway_owner;

CREATE FUNCTION underway.ledger_append_1(p_device text, p_first bigint, p_name_kinds text[], p_name_digests uuid[], p_name_texts text[], p_name_banks text[], p_name_domains text[], p_name_questions integer[], p_session_names text[], p_session_modes text[], p_questions integer[], p_sessions integer[], p_options integer[], p_ats bigint[], p_taken integer[], p_exposures integer[], p_flags smallint[], p_credits double precision[], p_responses text[], p_place_days integer[], p_place_banks text[], p_place_domains text[], p_place_answers integer[], p_place_correct integer[], p_place_taken bigint[], p_place_lasts bigint[], p_place_histograms text[], p_day_questions integer[], p_day_places integer[], p_domain_questions integer[], p_domain_places integer[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
    v_account bigint := claim();
    v_device integer;
    v_last integer;
    v_names integer[];
    v_sessions integer[];
BEGIN
    SELECT d.number, d.last_answer INTO v_device, v_last
        FROM device d WHERE d.account = v_account AND d.name = p_device;
    IF p_first <> coalesce(v_last, 0) + 1 THEN
        RAISE EXCEPTION USING errcode = 'UL002', message = 'answers do not follow';
    END IF;
    IF v_device IS NULL THEN
        INSERT INTO device (account, number, name, last_answer)
            SELECT v_account, coalesce(max(d.number), 0) + 1, p_device, 0
            FROM device d WHERE d.account = v_account
            RETURNING number INTO v_device;
    END IF;
    UPDATE device SET last_answer = p_first + cardinality(p_questions) - 1
        WHERE account = v_account AND number = v_device;
    v_names := own_names(p_name_kinds, p_name_digests, p_name_texts, p_name_banks,
        p_name_domains, p_name_questions);
    v_sessions := own_sessions(p_session_names, p_session_modes);
    INSERT INTO answer (account, device, counter, question, session, options, at, taken,
            exposures, flags, credit, response)
        SELECT v_account, v_device, p_first + u.place - 1, v_names[u.question],
            v_sessions[u.session], v_names[u.options], u.at, u.taken, u.exposures, u.flags,
            u.credit, u.response
        FROM unnest(p_questions, p_sessions, p_options, p_ats, p_taken, p_exposures, p_flags,
            p_credits, p_responses) WITH ORDINALITY
            u (question, session, options, at, taken, exposures, flags, credit, response,
                place);
    PERFORM count_answers(v_names, p_place_days, p_place_banks, p_place_domains, p_place_answers,
        p_place_correct, p_place_taken, p_place_lasts, p_place_histograms, p_day_questions,
        p_day_places, p_domain_questions, p_domain_places);
END $$;

ALTER FUNCTION underway.ledger_append_1(p_device text, p_first bigint, p_name_kinds text[], p_name_digests uuid[], p_name_texts text[], p_name_banks text[], p_name_domains text[], p_name_questions integer[], p_session_names text[], p_session_modes text[], p_questions integer[], p_sessions integer[], p_options integer[], p_ats bigint[], p_taken integer[], p_exposures integer[], p_flags smallint[], p_credits double precision[], p_responses text[], p_place_days integer[], p_place_banks text[], p_place_domains text[], p_place_answers integer[], p_place_correct integer[], p_place_taken bigint[], p_place_lasts bigint[], p_place_histograms text[], p_day_questions integer[], p_day_places integer[], p_domain_questions integer[], p_domain_places integer[]) OWNER TO underway_owner;

CREATE FUNCTION underway.ledger_append_2(p_device text, p_first bigint, p_name_kinds text[], p_name_digests uuid[], p_name_texts text[], p_name_banks text[], p_name_domains text[], p_name_questions integer[], p_session_names text[], p_session_modes text[], p_questions integer[], p_sessions integer[], p_options integer[], p_ats bigint[], p_taken integer[], p_exposures integer[], p_flags smallint[], p_credits double precision[], p_responses text[], p_offsets smallint[], p_place_days integer[], p_place_banks text[], p_place_domains text[], p_place_answers integer[], p_place_correct integer[], p_place_taken bigint[], p_place_lasts bigint[], p_place_histograms text[], p_day_questions integer[], p_day_places integer[], p_domain_questions integer[], p_domain_places integer[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
    v_account bigint := claim();
    v_device integer;
    v_last integer;
    v_names integer[];
    v_sessions integer[];
BEGIN
    SELECT d.number, d.last_answer INTO v_device, v_last
        FROM device d WHERE d.account = v_account AND d.name = p_device;
    IF p_first <> coalesce(v_last, 0) + 1 THEN
        RAISE EXCEPTION USING errcode = 'UL002', message = 'answers do not follow';
    END IF;
    IF v_device IS NULL THEN
        INSERT INTO device (account, number, name, last_answer)
            SELECT v_account, coalesce(max(d.number), 0) + 1, p_device, 0
            FROM device d WHERE d.account = v_account
            RETURNING number INTO v_device;
    END IF;
    UPDATE device SET last_answer = p_first + cardinality(p_questions) - 1
        WHERE account = v_account AND number = v_device;
    v_names := own_names(p_name_kinds, p_name_digests, p_name_texts, p_name_banks,
        p_name_domains, p_name_questions);
    v_sessions := own_sessions(p_session_names, p_session_modes);
    INSERT INTO answer (account, device, counter, question, session, options, at, taken,
            exposures, flags, credit, response, offset_minutes)
        SELECT v_account, v_device, p_first + u.place - 1, v_names[u.question],
            v_sessions[u.session], v_names[u.options], u.at, u.taken, u.exposures, u.flags,
            u.credit, u.response, u.offset_minutes
        FROM unnest(p_questions, p_sessions, p_options, p_ats, p_taken, p_exposures, p_flags,
            p_credits, p_responses, p_offsets) WITH ORDINALITY
            u (question, session, options, at, taken, exposures, flags, credit, response,
                offset_minutes, place);
    PERFORM count_answers(v_names, p_place_days, p_place_banks, p_place_domains, p_place_answers,
        p_place_correct, p_place_taken, p_place_lasts, p_place_histograms, p_day_questions,
        p_day_places, p_domain_questions, p_domain_places);
END $$;

ALTER FUNCTION underway.ledger_append_2(p_device text, p_first bigint, p_name_kinds text[], p_name_digests uuid[], p_name_texts text[], p_name_banks text[], p_name_domains text[], p_name_questions integer[], p_session_names text[], p_session_modes text[], p_questions integer[], p_sessions integer[], p_options integer[], p_ats bigint[], p_taken integer[], p_exposures integer[], p_flags smallint[], p_credits double precision[], p_responses text[], p_offsets smallint[], p_place_days integer[], p_place_banks text[], p_place_domains text[], p_place_answers integer[], p_place_correct integer[], p_place_taken bigint[], p_place_lasts bigint[], p_place_histograms text[], p_day_questions integer[], p_day_places integer[], p_domain_questions integer[], p_domain_places integer[]) OWNER TO underway_owner;

CREATE FUNCTION underway.ledger_devices_1() RETURNS TABLE(number integer, name text, last_answer integer, last_seen_at bigint, is_retired boolean, processed_before bigint, request_number bigint, request_hash bytea, head_position bigint, head_epoch text, unread_results bigint)
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT d.number, d.name, d.last_answer, d.last_seen_at, d.is_retired, d.processed_before,
            d.request_number, d.request_hash, d.head_position, d.head_epoch,
            (SELECT count(*) FROM result r WHERE r.account = d.account AND r.device = d.number
                AND r.counter >= d.processed_before)
        FROM device d WHERE d.account = claim() ORDER BY d.number;
END $$;

ALTER FUNCTION underway.ledger_devices_1() OWNER TO underway_owner;

CREATE FUNCTION underway.ledger_devices_2() RETURNS TABLE(number integer, name text, last_answer integer, answers_sum bigint, answers_cross bigint, last_seen_at bigint, is_retired boolean, processed_before bigint, request_number bigint, request_hash bytea, head_position bigint, head_epoch text, unread_results bigint)
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT d.number, d.name, d.last_answer, d.answers_sum, d.answers_cross,
            d.last_seen_at, d.is_retired, d.processed_before, d.request_number,
            d.request_hash, d.head_position, d.head_epoch,
            (SELECT count(*) FROM result r WHERE r.account = d.account
                AND r.device = d.number AND r.counter >= d.processed_before)
        FROM device d WHERE d.account = claim() ORDER BY d.number;
END $$;

ALTER FUNCTION underway.ledger_devices_2() OWNER TO underway_owner;

CREATE FUNCTION underway.ledger_digests_1(p_devices text[], p_sums bigint[], p_crosses bigint[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
    UPDATE device d SET answers_sum = u.sum, answers_cross = u.cross_sum
        FROM unnest(p_devices, p_sums, p_crosses) u (name, sum, cross_sum)
        WHERE d.account = claim() AND d.name = u.name;
END $$;

ALTER FUNCTION underway.ledger_digests_1(p_devices text[], p_sums bigint[], p_crosses bigint[]) OWNER TO underway_owner;

CREATE FUNCTION underway.ledger_open_1(p_lock boolean, p_device text, p_processed_before bigint, p_head bigint) RETURNS TABLE("position" bigint, purged_through bigint, digest text, epoch text, record_bytes bigint, answer_bytes bigint, answer_count bigint, collections text, generation text, end_mark text, named_mark text, oldest_mark bigint, mark_count bigint, unread_results bigint)
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
DECLARE
    v_account bigint := enter_1(p_lock);
BEGIN
    SELECT a.position, a.purged_through, a.digest, a.epoch, a.record_bytes, a.answer_bytes,
            a.answer_count, a.collections::text
        INTO position, purged_through, digest, epoch, record_bytes, answer_bytes, answer_count,
            collections
        FROM account a WHERE a.number = v_account;
    SELECT s.value INTO generation FROM setting s WHERE s.name = 'generation';
    SELECT m.text INTO end_mark FROM mark m
        WHERE m.account = v_account AND m.position = ledger_open_1.position;
    IF p_head IS NOT NULL THEN
        SELECT m.text INTO named_mark FROM mark m
            WHERE m.account = v_account AND m.position = p_head;
        IF named_mark IS NULL THEN
            SELECT coalesce(min(m.position), 0), count(*) INTO oldest_mark, mark_count
                FROM mark m WHERE m.account = v_account;
        END IF;
    END IF;
    SELECT count(r.counter) INTO unread_results
        FROM device d JOIN result r ON r.account = d.account AND r.device = d.number
            AND r.counter >= greatest(p_processed_before, d.processed_before)
        WHERE d.account = v_account AND d.name = p_device;
    RETURN NEXT;
END $$;

ALTER FUNCTION underway.ledger_open_1(p_lock boolean, p_device text, p_processed_before bigint, p_head bigint) OWNER TO underway_owner;

CREATE FUNCTION underway.ledger_page_1(p_after bigint, p_records integer, p_bytes bigint) RETURNS TABLE("position" bigint, batch bigint, deleted_at bigint, json text)
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
DECLARE
    v_records bigint := 0;
    v_bytes bigint := 0;
    v_batch bigint;
BEGIN
    FOR position, batch, deleted_at, json IN
        SELECT r.position, r.batch, r.deleted_at, r.json::text FROM record r
        WHERE r.account = claim() AND r.position > p_after ORDER BY r.position
    LOOP
        RETURN NEXT;
        v_records := v_records + 1;
        v_bytes := v_bytes + octet_length(json);
        -- One record behind the page says that the log goes on.
        EXIT WHEN v_batch <> batch AND (v_records > p_records OR v_bytes > p_bytes);
        v_batch := batch;
    END LOOP;
END $$;

ALTER FUNCTION underway.ledger_page_1(p_after bigint, p_records integer, p_bytes bigint) OWNER TO underway_owner;

CREATE FUNCTION underway.ledger_records_1(p_collections text[], p_ids text[]) RETURNS TABLE(collection text, id text, "position" bigint, batch bigint, deleted_at bigint, json text)
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
DECLARE
    v_account bigint := claim();
BEGIN
    RETURN QUERY
        SELECT r.collection, r.id, r.position, r.batch, r.deleted_at, r.json::text
        FROM unnest(p_collections, p_ids) k (collection, id) CROSS JOIN LATERAL (
            SELECT * FROM record r WHERE r.account = v_account
                AND r.collection = k.collection AND r.id = k.id LIMIT 1) r;
END $$;

ALTER FUNCTION underway.ledger_records_1(p_collections text[], p_ids text[]) OWNER TO underway_owner;

CREATE FUNCTION underway.ledger_refused_1(p_record_collections text[], p_record_ids text[], p_record_positions bigint[], p_record_batches bigint[], p_record_deletions bigint[], p_record_jsons text[]) RETURNS SETOF integer
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
    FOR v_place IN 1 .. cardinality(p_record_ids) LOOP
        BEGIN
            PERFORM ledger_write_1(
                p_record_collections => p_record_collections[v_place:v_place],
                p_record_ids => p_record_ids[v_place:v_place],
                p_record_positions => p_record_positions[v_place:v_place],
                p_record_batches => p_record_batches[v_place:v_place],
                p_record_deletions => p_record_deletions[v_place:v_place],
                p_record_jsons => p_record_jsons[v_place:v_place]);
        EXCEPTION WHEN check_violation OR not_null_violation OR data_exception THEN
            RETURN NEXT v_place;
        END;
    END LOOP;
END $$;

ALTER FUNCTION underway.ledger_refused_1(p_record_collections text[], p_record_ids text[], p_record_positions bigint[], p_record_batches bigint[], p_record_deletions bigint[], p_record_jsons text[]) OWNER TO underway_owner;

CREATE FUNCTION underway.ledger_results_1(p_device text, p_counters bigint[]) RETURNS TABLE(counter bigint, kind text, revision bigint, refusal text, hash bytea)
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT r.counter, r.kind, r.revision, r.refusal, r.hash
        FROM device d JOIN result r ON r.account = d.account AND r.device = d.number
        WHERE d.account = claim() AND d.name = p_device AND r.counter = ANY (p_counters);
END $$;

ALTER FUNCTION underway.ledger_results_1(p_device text, p_counters bigint[]) OWNER TO underway_owner;

CREATE FUNCTION underway.ledger_write_1(p_position bigint DEFAULT NULL::bigint, p_digest text DEFAULT NULL::text, p_epoch text DEFAULT NULL::text, p_record_bytes bigint DEFAULT NULL::bigint, p_answer_bytes bigint DEFAULT NULL::bigint, p_answer_count bigint DEFAULT NULL::bigint, p_retired text[] DEFAULT NULL::text[], p_forgotten text[] DEFAULT NULL::text[], p_device text DEFAULT NULL::text, p_last_seen_at bigint DEFAULT NULL::bigint, p_processed_before bigint DEFAULT NULL::bigint, p_request_number bigint DEFAULT NULL::bigint, p_request_hash bytea DEFAULT NULL::bytea, p_head_position bigint DEFAULT NULL::bigint, p_head_epoch text DEFAULT NULL::text, p_result_counters bigint[] DEFAULT NULL::bigint[], p_result_kinds text[] DEFAULT NULL::text[], p_result_revisions bigint[] DEFAULT NULL::bigint[], p_result_refusals text[] DEFAULT NULL::text[], p_result_hashes text[] DEFAULT NULL::text[], p_results_before bigint DEFAULT NULL::bigint, p_record_collections text[] DEFAULT NULL::text[], p_record_ids text[] DEFAULT NULL::text[], p_record_positions bigint[] DEFAULT NULL::bigint[], p_record_batches bigint[] DEFAULT NULL::bigint[], p_record_deletions bigint[] DEFAULT NULL::bigint[], p_record_jsons text[] DEFAULT NULL::text[], p_mark_position bigint DEFAULT NULL::bigint, p_mark_text text DEFAULT NULL::text, p_marks_max integer DEFAULT NULL::integer) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
    v_account bigint := claim();
    v_device integer;
    v_collections jsonb;
BEGIN
    IF p_retired IS NOT NULL THEN
        UPDATE device SET is_retired = TRUE WHERE account = v_account AND name = ANY (p_retired);
        DELETE FROM result r USING device d
            WHERE d.account = v_account AND d.name = ANY (p_retired) AND r.account = v_account
                AND r.device = d.number AND r.kind IN ('conflict', 'refused');
    END IF;
    IF p_forgotten IS NOT NULL THEN
        DELETE FROM result r USING device d
            WHERE d.account = v_account AND d.name = ANY (p_forgotten) AND r.account = v_account
                AND r.device = d.number;
    END IF;
    IF p_retired IS NOT NULL OR p_forgotten IS NOT NULL THEN
        DELETE FROM device d
            WHERE d.account = v_account AND d.name = ANY (p_retired || p_forgotten)
                AND d.last_answer = 0 AND NOT EXISTS (
                    SELECT FROM result r WHERE r.account = v_account AND r.device = d.number);
    END IF;
    IF p_device IS NOT NULL THEN
        UPDATE device SET last_seen_at = p_last_seen_at, processed_before = p_processed_before,
                request_number = p_request_number, request_hash = p_request_hash,
                head_position = p_head_position, head_epoch = p_head_epoch
            WHERE account = v_account AND name = p_device RETURNING number INTO v_device;
        IF v_device IS NULL THEN
            INSERT INTO device (account, number, name, last_seen_at, processed_before,
                    request_number, request_hash, head_position, head_epoch)
                SELECT v_account, coalesce(max(d.number), 0) + 1, p_device, p_last_seen_at,
                    p_processed_before, p_request_number, p_request_hash, p_head_position,
                    p_head_epoch
                FROM device d WHERE d.account = v_account
                RETURNING number INTO v_device;
        END IF;
        IF p_result_counters IS NOT NULL THEN
            INSERT INTO result (account, device, counter, kind, revision, refusal, hash)
                SELECT v_account, v_device, u.counter, u.kind, u.revision, u.refusal,
                    decode(u.hash, 'hex')
                FROM unnest(p_result_counters, p_result_kinds, p_result_revisions,
                    p_result_refusals, p_result_hashes)
                    u (counter, kind, revision, refusal, hash);
        END IF;
        IF p_results_before > 0 THEN
            DELETE FROM result WHERE account = v_account AND device = v_device
                AND counter < p_results_before;
        END IF;
    END IF;
    IF p_record_ids IS NOT NULL THEN
        v_collections := new_collections(p_record_collections, p_record_ids);
        INSERT INTO record (account, collection, id, position, batch, deleted_at, json)
            SELECT v_account, u.collection, u.id, u.position, u.batch, u.deletion,
                u.json::json
            FROM unnest(p_record_collections, p_record_ids, p_record_positions,
                p_record_batches, p_record_deletions, p_record_jsons)
                u (collection, id, position, batch, deletion, json)
            ON CONFLICT (account, collection, id) DO UPDATE SET position = excluded.position,
                batch = excluded.batch, deleted_at = excluded.deleted_at, json = excluded.json;
    END IF;
    IF p_mark_position IS NOT NULL THEN
        INSERT INTO mark (account, position, text)
            VALUES (v_account, p_mark_position, p_mark_text);
        DELETE FROM mark WHERE account = v_account AND position <= (
            SELECT m.position FROM mark m WHERE m.account = v_account
            ORDER BY m.position DESC OFFSET p_marks_max LIMIT 1);
    END IF;
    IF p_position IS NOT NULL OR v_collections IS NOT NULL THEN
        UPDATE account SET position = coalesce(p_position, position),
            digest = coalesce(p_digest, digest), epoch = coalesce(p_epoch, epoch),
            record_bytes = coalesce(p_record_bytes, record_bytes),
            answer_bytes = coalesce(p_answer_bytes, answer_bytes),
            answer_count = coalesce(p_answer_count, answer_count),
            collections = coalesce(v_collections, collections)
        WHERE number = v_account;
    END IF;
END $$;

ALTER FUNCTION underway.ledger_write_1(p_position bigint, p_digest text, p_epoch text, p_record_bytes bigint, p_answer_bytes bigint, p_answer_count bigint, p_retired text[], p_forgotten text[], p_device text, p_last_seen_at bigint, p_processed_before bigint, p_request_number bigint, p_request_hash bytea, p_head_position bigint, p_head_epoch text, p_result_counters bigint[], p_result_kinds text[], p_result_revisions bigint[], p_result_refusals text[], p_result_hashes text[], p_results_before bigint, p_record_collections text[], p_record_ids text[], p_record_positions bigint[], p_record_batches bigint[], p_record_deletions bigint[], p_record_jsons text[], p_mark_position bigint, p_mark_text text, p_marks_max integer) OWNER TO underway_owner;

CREATE FUNCTION underway.new_collections(p_collections text[], p_ids text[]) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
    v_account bigint := claim();
BEGIN
    RETURN (
        WITH added AS (
            SELECT u.collection, count(*) AS records
            FROM unnest(p_collections, p_ids) u (collection, id)
            WHERE (SELECT r.position FROM record r WHERE r.account = v_account
                AND r.collection = u.collection AND r.id = u.id) IS NULL
            GROUP BY u.collection)
        SELECT a.collections || jsonb_object_agg(
            n.collection, coalesce((a.collections ->> n.collection)::bigint, 0) + n.records)
        FROM account a, added n WHERE a.number = v_account GROUP BY a.collections);
END $$;

ALTER FUNCTION underway.new_collections(p_collections text[], p_ids text[]) OWNER TO underway_owner;

CREATE FUNCTION underway.opened() RETURNS bigint
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (NULLIF(current_setting('underway.opened'::text, true), ''::text))::bigint;

ALTER FUNCTION underway.opened() OWNER TO underway_owner;

CREATE FUNCTION underway.own_names(p_kinds text[], p_digests uuid[], p_texts text[], p_banks text[], p_domains text[], p_questions integer[]) RETURNS integer[]
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
    v_account bigint := claim();
    v_numbers integer[];
BEGIN
    FOR step IN 1 .. 3 LOOP
        v_numbers := ARRAY(
            SELECT coalesce((SELECT n.number FROM own_name n
                WHERE n.account = v_account AND n.digest = u.digest), 0)
            FROM unnest(p_digests) WITH ORDINALITY u (digest, place) ORDER BY u.place);
        EXIT WHEN step = 3 OR 0 <> ALL (v_numbers);
        INSERT INTO own_name (account, number, kind, digest, question, bank, domain, text)
            SELECT v_account,
                (SELECT coalesce(min(n.number), 0) FROM own_name n WHERE n.account = v_account)
                    - row_number() OVER (ORDER BY u.place),
                u.kind, u.digest, v_numbers[u.question], u.bank, u.domain, u.text
            FROM unnest(p_kinds, p_digests, p_texts, p_banks, p_domains, p_questions, v_numbers)
                WITH ORDINALITY u (kind, digest, text, bank, domain, question, number, place)
            WHERE u.number = 0 AND (step = 2 OR u.kind <> 'version');
    END LOOP;
    RETURN v_numbers;
END $$;

ALTER FUNCTION underway.own_names(p_kinds text[], p_digests uuid[], p_texts text[], p_banks text[], p_domains text[], p_questions integer[]) OWNER TO underway_owner;

CREATE FUNCTION underway.own_sessions(p_names text[], p_modes text[]) RETURNS integer[]
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
    v_account bigint := claim();
BEGIN
    INSERT INTO session (account, number, name, mode)
        SELECT v_account,
            (SELECT coalesce(max(s.number), 0) FROM session s WHERE s.account = v_account)
                + row_number() OVER (ORDER BY u.place),
            u.name, u.mode
        FROM unnest(p_names, p_modes) WITH ORDINALITY u (name, mode, place)
        WHERE (SELECT s.number FROM session s WHERE s.account = v_account
            AND s.name = u.name AND s.mode = u.mode) IS NULL;
    RETURN ARRAY(
        SELECT (SELECT s.number FROM session s WHERE s.account = v_account
            AND s.name = u.name AND s.mode = u.mode)
        FROM unnest(p_names, p_modes) WITH ORDINALITY u (name, mode, place)
        ORDER BY u.place);
END $$;

ALTER FUNCTION underway.own_sessions(p_names text[], p_modes text[]) OWNER TO underway_owner;

CREATE FUNCTION underway.purge_1(p_account bigint, p_collections text[], p_ids text[], p_before bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_nestloop TO 'off'
    AS $$
BEGIN
    PERFORM FROM account WHERE number = p_account FOR NO KEY UPDATE;
    WITH gone AS (
        DELETE FROM record r USING unnest(p_collections, p_ids) u (collection, id)
            WHERE r.account = p_account AND r.collection = u.collection AND r.id = u.id
                AND r.deleted_at < p_before
            RETURNING r.collection, r.position, octet_length(r.json::text) AS bytes
    ), counts AS (
        SELECT collection, count(*) AS records, max(position) AS position, sum(bytes) AS bytes
        FROM gone GROUP BY collection
    ), sums AS (
        SELECT max(c.position) AS position, sum(c.bytes)::bigint AS bytes,
            jsonb_object_agg(c.collection,
                (a.collections ->> c.collection)::bigint - c.records) AS collections
        FROM counts c, account a WHERE a.number = p_account
    )
    UPDATE account a SET purged_through = greatest(a.purged_through, s.position),
        record_bytes = a.record_bytes - s.bytes, collections = a.collections || s.collections
        FROM sums s WHERE a.number = p_account AND s.position IS NOT NULL;
END $$;

ALTER FUNCTION underway.purge_1(p_account bigint, p_collections text[], p_ids text[], p_before bigint) OWNER TO underway_owner;

CREATE FUNCTION underway.recount_1(p_account bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET enable_nestloop TO 'off'
    AS $$
BEGIN
    PERFORM FROM account WHERE number = p_account FOR NO KEY UPDATE;
    DELETE FROM answer_day WHERE account = p_account;
    DELETE FROM question_day WHERE account = p_account;
    DELETE FROM question_domain WHERE account = p_account;
    INSERT INTO question_day (account, day, question)
        SELECT DISTINCT p_account, c.day, c.question FROM counted_answers_1(p_account) c;
    INSERT INTO question_domain (account, question, domain)
        SELECT DISTINCT p_account, c.question, c.domain FROM counted_answers_1(p_account) c;
    INSERT INTO answer_day (account, day, bank, domain, answers, correct, questions_of_day,
            questions_of_domain, taken, last_at, histogram)
        SELECT p_account, s.day, s.bank, s.domain, s.answers, s.correct,
            coalesce(d.questions, 0), coalesce(o.questions, 0), s.taken, s.last_at, s.histogram
        FROM answer_sums_1(p_account) s
            LEFT JOIN (
                SELECT f.day, f.bank, f.domain, count(*) AS questions
                FROM (SELECT DISTINCT ON (c.day, c.question) c.day, c.bank, c.domain
                    FROM counted_answers_1(p_account) c
                    ORDER BY c.day, c.question, c.at, c.domain) f
                GROUP BY f.day, f.bank, f.domain) d
                ON d.day = s.day AND d.bank = s.bank AND d.domain = s.domain
            LEFT JOIN (
                SELECT f.day, f.bank, f.domain, count(*) AS questions
                FROM (SELECT DISTINCT ON (c.question, c.domain) c.day, c.bank, c.domain
                    FROM counted_answers_1(p_account) c
                    ORDER BY c.question, c.domain, c.at, c.day) f
                GROUP BY f.day, f.bank, f.domain) o
                ON o.day = s.day AND o.bank = s.bank AND o.domain = s.domain;
END $$;

ALTER FUNCTION underway.recount_1(p_account bigint) OWNER TO underway_owner;

CREATE FUNCTION underway.step_start(step bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN (step < 40) THEN (step * 250) WHEN (step < 65) THEN (10000 + ((step - 40) * 2000)) ELSE (60000 + ((step - 65) * 30000)) END;

ALTER FUNCTION underway.step_start(step bigint) OWNER TO underway_owner;

CREATE TABLE content.domains (
    region text NOT NULL COLLATE pg_catalog."C",
    exam text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    title text NOT NULL,
    weight double precision NOT NULL,
    place integer NOT NULL,
    CONSTRAINT domains_id_check CHECK (content.identifier_ok(id)),
    CONSTRAINT domains_place_check CHECK ((place >= 0)),
    CONSTRAINT domains_weight_check CHECK ((weight > (0)::double precision))
);

ALTER TABLE content.domains OWNER TO underway_owner;

CREATE TABLE content.exams (
    region text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    title text NOT NULL,
    version text NOT NULL,
    levels jsonb DEFAULT '{}'::jsonb NOT NULL,
    scoring jsonb DEFAULT '{}'::jsonb NOT NULL,
    checksum text NOT NULL,
    content_updated_at timestamp with time zone NOT NULL,
    revision bigint NOT NULL,
    CONSTRAINT exams_id_check CHECK (content.identifier_ok(id)),
    CONSTRAINT exams_levels_check CHECK ((jsonb_typeof(levels) = 'object'::text)),
    CONSTRAINT exams_revision_check CHECK ((revision > 0)),
    CONSTRAINT exams_scoring_check CHECK ((jsonb_typeof(scoring) = 'object'::text))
);

ALTER TABLE content.exams OWNER TO underway_owner;

CREATE TABLE content.regions (
    id text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT regions_id_check CHECK (content.identifier_ok(id))
);

ALTER TABLE content.regions OWNER TO underway_owner;

CREATE TABLE content.removed_exams (
    region text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    content_updated_at timestamp with time zone NOT NULL,
    revision bigint NOT NULL
);

ALTER TABLE content.removed_exams OWNER TO underway_owner;

CREATE TABLE content.state (
    number integer DEFAULT 1 NOT NULL,
    epoch uuid DEFAULT gen_random_uuid() NOT NULL,
    revision bigint DEFAULT 0 NOT NULL,
    release bigint DEFAULT 0 NOT NULL,
    manifest text DEFAULT ''::text NOT NULL,
    filled_at timestamp with time zone,
    CONSTRAINT state_number_check CHECK ((number = 1)),
    CONSTRAINT state_release_check CHECK ((release >= 0)),
    CONSTRAINT state_revision_check CHECK ((revision >= 0))
);

ALTER TABLE content.state OWNER TO underway_owner;

CREATE TABLE underway.account (
    number bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    user_id uuid,
    created_at bigint NOT NULL,
    "position" bigint DEFAULT 0 NOT NULL,
    purged_through bigint DEFAULT 0 NOT NULL,
    digest text DEFAULT '0.0.0'::text NOT NULL,
    epoch text DEFAULT ''::text NOT NULL,
    collections jsonb DEFAULT '{}'::jsonb NOT NULL,
    record_bytes bigint DEFAULT 0 NOT NULL,
    answer_bytes bigint DEFAULT 0 NOT NULL,
    answer_count bigint DEFAULT 0 NOT NULL,
    last_used_at bigint DEFAULT 0 NOT NULL,
    deleted_at bigint,
    token_generation bigint DEFAULT 0 NOT NULL,
    CONSTRAINT account_id_check CHECK (((octet_length(id) >= 1) AND (octet_length(id) <= 200))),
    CONSTRAINT account_position_check CHECK (("position" >= 0))
)
WITH (fillfactor='70');

ALTER TABLE ONLY underway.account FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.account OWNER TO underway_owner;

CREATE TABLE underway.account_move (
    source text NOT NULL COLLATE pg_catalog."C",
    target text NOT NULL COLLATE pg_catalog."C",
    answers bigint NOT NULL,
    begun_at bigint NOT NULL,
    finished_at bigint,
    place text NOT NULL,
    CONSTRAINT account_move_answers_check CHECK ((answers >= 0)),
    CONSTRAINT account_move_source_check CHECK (((octet_length(source) >= 1) AND (octet_length(source) <= 200))),
    CONSTRAINT account_move_target_check CHECK (((octet_length(target) >= 1) AND (octet_length(target) <= 200)))
);

ALTER TABLE ONLY underway.account_move FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.account_move OWNER TO underway_owner;

ALTER TABLE underway.account ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME underway.account_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE underway.answer_day (
    account bigint NOT NULL,
    day integer NOT NULL,
    bank text NOT NULL COLLATE pg_catalog."C",
    domain text NOT NULL COLLATE pg_catalog."C",
    answers integer NOT NULL,
    correct integer NOT NULL,
    questions_of_day integer NOT NULL,
    questions_of_domain integer NOT NULL,
    taken bigint NOT NULL,
    last_at bigint NOT NULL,
    histogram integer[] NOT NULL
)
WITH (fillfactor='70');

ALTER TABLE ONLY underway.answer_day FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.answer_day OWNER TO underway_owner;

CREATE TABLE underway.regraded_answer (
    account bigint NOT NULL,
    device integer NOT NULL,
    counter integer NOT NULL,
    bank text NOT NULL COLLATE pg_catalog."C",
    session bigint NOT NULL,
    day integer NOT NULL,
    domain text NOT NULL COLLATE pg_catalog."C",
    is_correct boolean NOT NULL,
    credit double precision NOT NULL,
    correct integer NOT NULL,
    points integer NOT NULL,
    first_points integer NOT NULL,
    CONSTRAINT regraded_answer_correct_check CHECK (((correct >= '-1'::integer) AND (correct <= 1)))
);

ALTER TABLE ONLY underway.regraded_answer FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.regraded_answer OWNER TO underway_owner;

CREATE VIEW underway.answers_by_day WITH (security_invoker='true') AS
 SELECT d.account,
    ('1970-01-01'::date + d.day) AS day,
    sum(d.answers) AS answers,
    (sum(d.correct) + COALESCE(( SELECT sum(r.correct) AS sum
           FROM underway.regraded_answer r
          WHERE ((r.account = d.account) AND (r.day = d.day))), (0)::bigint)) AS correct,
    sum(d.questions_of_day) AS questions,
    (sum(d.taken))::bigint AS taken_milliseconds
   FROM underway.answer_day d
  GROUP BY d.account, d.day;

ALTER TABLE underway.answers_by_day OWNER TO underway_owner;

CREATE VIEW underway.answers_by_difficulty WITH (security_invoker='true') AS
 SELECT a.account,
    q.bank,
    c.difficulty,
    count(*) AS answers,
    sum((((a.flags)::integer & 1) + COALESCE(r.correct, 0))) AS correct,
    ((sum((((a.flags)::integer & 1) + COALESCE(r.correct, 0))))::double precision / (count(*))::double precision) AS accuracy,
    underway.step_start((percentile_disc((0.5)::double precision) WITHIN GROUP (ORDER BY (underway.time_step(a.taken))))::bigint) AS median_milliseconds
   FROM ((((underway.answer a
     CROSS JOIN LATERAL ( SELECT v_1.question
           FROM underway.own_name v_1
          WHERE ((v_1.account = a.account) AND (v_1.number = a.question))
         LIMIT 1) v)
     CROSS JOIN LATERAL ( SELECT q_1.bank,
            q_1.text
           FROM underway.own_name q_1
          WHERE ((q_1.account = a.account) AND (q_1.number = v.question))
         LIMIT 1) q)
     CROSS JOIN LATERAL ( SELECT c_1.difficulty
           FROM content.questions c_1
          WHERE ((c_1.region = split_part(q.bank, '/'::text, 1)) AND (c_1.exam = substr(q.bank, (strpos(q.bank, '/'::text) + 1))) AND (c_1.id = q.text))
         LIMIT 1) c)
     LEFT JOIN underway.regraded_answer r ON (((r.account = a.account) AND (r.device = a.device) AND (r.counter = a.counter))))
  GROUP BY a.account, q.bank, c.difficulty;

ALTER TABLE underway.answers_by_difficulty OWNER TO underway_owner;

CREATE VIEW underway.answers_by_domain WITH (security_invoker='true') AS
 WITH steps AS (
         SELECT d.account,
            d.bank,
            d.domain,
            (h.place - 1) AS step,
            sum(h.answers) AS answers
           FROM underway.answer_day d,
            LATERAL unnest(d.histogram) WITH ORDINALITY h(answers, place)
          GROUP BY d.account, d.bank, d.domain, h.place
        ), running AS (
         SELECT steps.account,
            steps.bank,
            steps.domain,
            steps.step,
            sum(steps.answers) OVER (PARTITION BY steps.account, steps.bank, steps.domain ORDER BY steps.step) AS through,
            sum(steps.answers) OVER (PARTITION BY steps.account, steps.bank, steps.domain) AS total
           FROM steps
        ), medians AS (
         SELECT running.account,
            running.bank,
            running.domain,
            underway.step_start(min(running.step)) AS milliseconds
           FROM running
          WHERE ((running.through * (2)::numeric) >= running.total)
          GROUP BY running.account, running.bank, running.domain
        ), sums AS (
         SELECT d.account,
            d.bank,
            d.domain,
            sum(d.answers) AS answers,
            (sum(d.correct) + COALESCE(( SELECT sum(r.correct) AS sum
                   FROM underway.regraded_answer r
                  WHERE ((r.account = d.account) AND (r.bank = d.bank) AND (r.domain = d.domain))), (0)::bigint)) AS correct,
            sum(d.questions_of_domain) AS questions,
            max(d.last_at) AS last_milliseconds
           FROM underway.answer_day d
          GROUP BY d.account, d.bank, d.domain
        )
 SELECT s.account,
    s.bank,
    s.domain,
    s.answers,
    s.correct,
    ((s.correct)::double precision / (s.answers)::double precision) AS accuracy,
    s.questions,
    m.milliseconds AS median_milliseconds,
    s.last_milliseconds
   FROM (sums s
     JOIN medians m USING (account, bank, domain));

ALTER TABLE underway.answers_by_domain OWNER TO underway_owner;

CREATE TABLE underway.audit (
    number bigint NOT NULL,
    at bigint NOT NULL,
    actor text NOT NULL COLLATE pg_catalog."C",
    action text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    detail text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT audit_action_check CHECK (((length(action) >= 1) AND (length(action) <= 64))),
    CONSTRAINT audit_actor_check CHECK (((length(actor) >= 1) AND (length(actor) <= 300)))
);

ALTER TABLE ONLY underway.audit FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.audit OWNER TO underway_owner;

ALTER TABLE underway.audit ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME underway.audit_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE underway.board (
    number bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    period text NOT NULL,
    first_day text NOT NULL,
    starts_at bigint NOT NULL,
    ends_at bigint,
    scoring text NOT NULL,
    filled_through bigint,
    refreshed_at bigint NOT NULL,
    is_closed boolean NOT NULL,
    CONSTRAINT board_period_check CHECK ((period = ANY (ARRAY['day'::text, 'week'::text, 'month'::text, 'all'::text])))
);

ALTER TABLE ONLY underway.board FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.board OWNER TO underway_owner;

CREATE TABLE underway.board_bucket (
    board bigint NOT NULL,
    low bigint NOT NULL,
    places integer NOT NULL,
    CONSTRAINT board_bucket_low_check CHECK ((low >= 0)),
    CONSTRAINT board_bucket_places_check CHECK ((places >= 0))
);

ALTER TABLE ONLY underway.board_bucket FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.board_bucket OWNER TO underway_owner;

CREATE TABLE underway.board_change (
    number bigint NOT NULL,
    member bigint NOT NULL
);

ALTER TABLE ONLY underway.board_change FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.board_change OWNER TO underway_owner;

ALTER TABLE underway.board_change ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME underway.board_change_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE underway.board_definition (
    name text NOT NULL COLLATE pg_catalog."C",
    text text NOT NULL
);

ALTER TABLE ONLY underway.board_definition FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.board_definition OWNER TO underway_owner;

ALTER TABLE underway.board ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME underway.board_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE underway.board_profile (
    account bigint NOT NULL,
    code text NOT NULL COLLATE pg_catalog."C",
    name text,
    is_listed boolean NOT NULL,
    is_name_blocked boolean DEFAULT false NOT NULL,
    CONSTRAINT board_profile_name_check CHECK ((length(name) > 0))
);

ALTER TABLE ONLY underway.board_profile FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.board_profile OWNER TO underway_owner;

CREATE TABLE underway.board_score (
    board bigint NOT NULL,
    member bigint NOT NULL,
    key bigint NOT NULL,
    CONSTRAINT board_score_key_check CHECK ((key >= 0))
);

ALTER TABLE ONLY underway.board_score FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.board_score OWNER TO underway_owner;

CREATE TABLE underway.contributor (
    account bigint NOT NULL,
    number bigint NOT NULL,
    since bigint NOT NULL
);

ALTER TABLE ONLY underway.contributor FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.contributor OWNER TO underway_owner;

ALTER TABLE underway.contributor ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME underway.contributor_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE underway.corrected_version (
    bank text NOT NULL COLLATE pg_catalog."C",
    question text NOT NULL COLLATE pg_catalog."C",
    version text NOT NULL COLLATE pg_catalog."C",
    digest uuid NOT NULL
);

ALTER TABLE ONLY underway.corrected_version FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.corrected_version OWNER TO underway_owner;

CREATE TABLE underway.damaged_record (
    account bigint NOT NULL,
    collection text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    "position" bigint NOT NULL,
    found_at bigint NOT NULL,
    json text NOT NULL
);

ALTER TABLE ONLY underway.damaged_record FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.damaged_record OWNER TO underway_owner;

CREATE TABLE underway.device (
    account bigint NOT NULL,
    number integer NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    last_answer integer DEFAULT 0 NOT NULL,
    last_seen_at bigint DEFAULT 0 NOT NULL,
    is_retired boolean DEFAULT false NOT NULL,
    processed_before bigint DEFAULT 0 NOT NULL,
    request_number bigint DEFAULT 0 NOT NULL,
    request_hash bytea DEFAULT '\x'::bytea NOT NULL,
    head_position bigint DEFAULT 0 NOT NULL,
    head_epoch text DEFAULT ''::text NOT NULL,
    answers_sum bigint,
    answers_cross bigint,
    CONSTRAINT device_number_check CHECK ((number > 0))
)
WITH (fillfactor='70');

ALTER TABLE ONLY underway.device FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.device OWNER TO underway_owner;

CREATE TABLE underway.device_content (
    account bigint NOT NULL,
    device smallint NOT NULL,
    release bigint NOT NULL,
    obstacle text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    since bigint NOT NULL,
    day integer NOT NULL,
    CONSTRAINT device_content_release_check CHECK ((release >= 0))
);

ALTER TABLE ONLY underway.device_content FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.device_content OWNER TO underway_owner;

CREATE TABLE underway.email_code (
    account bigint NOT NULL,
    purpose text NOT NULL COLLATE pg_catalog."C",
    hash bytea NOT NULL,
    email text NOT NULL COLLATE pg_catalog."C",
    expires_at bigint NOT NULL,
    CONSTRAINT email_code_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT email_code_purpose_check CHECK ((purpose = ANY (ARRAY['verifyEmail'::text, 'resetPassword'::text])))
);

ALTER TABLE ONLY underway.email_code FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.email_code OWNER TO underway_owner;

CREATE TABLE underway.event (
    number integer NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    text text NOT NULL,
    frozen_at bigint,
    places integer DEFAULT 0 NOT NULL,
    CONSTRAINT event_places_check CHECK ((places >= 0))
);

ALTER TABLE ONLY underway.event FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.event OWNER TO underway_owner;

ALTER TABLE underway.event ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME underway.event_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE underway.event_score (
    event integer NOT NULL,
    account bigint NOT NULL,
    score integer NOT NULL,
    second integer NOT NULL,
    submissions integer NOT NULL,
    change bigint DEFAULT 0 NOT NULL,
    rank integer,
    CONSTRAINT event_score_rank_check CHECK ((rank > 0)),
    CONSTRAINT event_score_score_check CHECK ((score >= 0)),
    CONSTRAINT event_score_second_check CHECK ((second >= 0)),
    CONSTRAINT event_score_submissions_check CHECK ((submissions > 0))
);

ALTER TABLE ONLY underway.event_score FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.event_score OWNER TO underway_owner;

CREATE TABLE underway.event_submission (
    event integer NOT NULL,
    account bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    points integer NOT NULL,
    at bigint NOT NULL,
    CONSTRAINT event_submission_points_check CHECK ((points >= 0))
);

ALTER TABLE ONLY underway.event_submission FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.event_submission OWNER TO underway_owner;

CREATE UNLOGGED TABLE underway.failed_attempt (
    limit_name text NOT NULL COLLATE pg_catalog."C",
    name bytea NOT NULL,
    "window" bigint NOT NULL,
    current integer NOT NULL,
    former integer NOT NULL,
    expires_at bigint NOT NULL,
    CONSTRAINT failed_attempt_name_check CHECK ((octet_length(name) = 32))
);

ALTER TABLE ONLY underway.failed_attempt FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.failed_attempt OWNER TO underway_owner;

CREATE TABLE underway.first_answer (
    number bigint NOT NULL,
    contributor bigint NOT NULL,
    item bigint NOT NULL,
    response text NOT NULL COLLATE pg_catalog."C",
    flags smallint NOT NULL
);

ALTER TABLE ONLY underway.first_answer FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.first_answer OWNER TO underway_owner;

CREATE TABLE underway.first_answer_inbox (
    number bigint NOT NULL,
    account bigint NOT NULL,
    item bigint NOT NULL,
    response text NOT NULL COLLATE pg_catalog."C",
    flags smallint NOT NULL
);

ALTER TABLE ONLY underway.first_answer_inbox FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.first_answer_inbox OWNER TO underway_owner;

ALTER TABLE underway.first_answer_inbox ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME underway.first_answer_inbox_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE underway.first_answer ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME underway.first_answer_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE underway.identity (
    issuer text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    account bigint NOT NULL,
    CONSTRAINT identity_issuer_check CHECK (((octet_length(issuer) >= 1) AND (octet_length(issuer) <= 1024))),
    CONSTRAINT identity_subject_check CHECK (((octet_length(subject) >= 1) AND (octet_length(subject) <= 255)))
);

ALTER TABLE ONLY underway.identity FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.identity OWNER TO underway_owner;

CREATE TABLE underway.instance_mark (
    instance text NOT NULL COLLATE pg_catalog."C",
    mark text NOT NULL,
    renewed_at bigint NOT NULL
);

ALTER TABLE ONLY underway.instance_mark FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.instance_mark OWNER TO underway_owner;

CREATE TABLE underway.mark (
    account bigint NOT NULL,
    "position" bigint NOT NULL,
    text text NOT NULL,
    CONSTRAINT mark_position_check CHECK (("position" > 0))
);

ALTER TABLE ONLY underway.mark FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.mark OWNER TO underway_owner;

CREATE TABLE underway.migration (
    name text NOT NULL,
    checksum text NOT NULL,
    is_breaking boolean DEFAULT false NOT NULL,
    ran_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE underway.migration OWNER TO underway_owner;

CREATE TABLE underway.password (
    account bigint NOT NULL,
    email text NOT NULL COLLATE pg_catalog."C",
    salt bytea NOT NULL,
    hash bytea NOT NULL,
    rounds integer NOT NULL,
    verified_at bigint,
    CONSTRAINT password_email_check CHECK (((octet_length(email) >= 1) AND (octet_length(email) <= 254))),
    CONSTRAINT password_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT password_rounds_check CHECK ((rounds >= 1024)),
    CONSTRAINT password_salt_check CHECK ((octet_length(salt) = 16))
);

ALTER TABLE ONLY underway.password FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.password OWNER TO underway_owner;

CREATE TABLE underway.proposal (
    number bigint NOT NULL,
    bank text NOT NULL COLLATE pg_catalog."C",
    question text NOT NULL COLLATE pg_catalog."C",
    version text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    proposed_key text COLLATE pg_catalog."C",
    state text NOT NULL,
    evidence text NOT NULL,
    flagged_at bigint NOT NULL,
    changed_at bigint NOT NULL,
    actor text COLLATE pg_catalog."C",
    decided_at bigint,
    reason text DEFAULT ''::text NOT NULL,
    release bigint,
    shipped_at bigint,
    follows bigint,
    CONSTRAINT proposal_check CHECK (((actor IS NULL) = (decided_at IS NULL))),
    CONSTRAINT proposal_check1 CHECK (((state = 'open'::text) OR (actor IS NOT NULL))),
    CONSTRAINT proposal_check2 CHECK (((state = 'shipped'::text) = (release IS NOT NULL))),
    CONSTRAINT proposal_check3 CHECK (((release IS NULL) = (shipped_at IS NULL))),
    CONSTRAINT proposal_state_check CHECK ((state = ANY (ARRAY['open'::text, 'confirmed'::text, 'dismissed'::text, 'shipped'::text])))
);

ALTER TABLE ONLY underway.proposal FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.proposal OWNER TO underway_owner;

ALTER TABLE underway.proposal ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME underway.proposal_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE underway.question_day (
    account bigint NOT NULL,
    day integer NOT NULL,
    question integer NOT NULL
);

ALTER TABLE ONLY underway.question_day FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.question_day OWNER TO underway_owner;

CREATE TABLE underway.question_domain (
    account bigint NOT NULL,
    question integer NOT NULL,
    domain text NOT NULL COLLATE pg_catalog."C"
);

ALTER TABLE ONLY underway.question_domain FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.question_domain OWNER TO underway_owner;

CREATE TABLE underway.question_report (
    account bigint NOT NULL,
    bank text NOT NULL COLLATE pg_catalog."C",
    question text NOT NULL COLLATE pg_catalog."C",
    version text NOT NULL COLLATE pg_catalog."C",
    reason text NOT NULL COLLATE pg_catalog."C",
    text text NOT NULL,
    at bigint NOT NULL
);

ALTER TABLE ONLY underway.question_report FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.question_report OWNER TO underway_owner;

CREATE TABLE underway.record (
    account bigint NOT NULL,
    collection text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    "position" bigint NOT NULL,
    batch bigint NOT NULL,
    deleted_at bigint,
    json json NOT NULL,
    CONSTRAINT record_collection_check CHECK (((length(collection) >= 1) AND (length(collection) <= 64))),
    CONSTRAINT record_id_check CHECK (((length(id) >= 1) AND (length(id) <= 200))),
    CONSTRAINT record_position_check CHECK (("position" > 0))
);

ALTER TABLE ONLY underway.record FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.record OWNER TO underway_owner;

CREATE TABLE underway.refresh_token (
    hash bytea NOT NULL,
    family text NOT NULL COLLATE pg_catalog."C",
    parent bytea,
    account bigint NOT NULL,
    expires_at bigint NOT NULL,
    used_at bigint,
    generation bigint DEFAULT 0 NOT NULL,
    CONSTRAINT refresh_token_hash_check CHECK ((octet_length(hash) = 32))
);

ALTER TABLE ONLY underway.refresh_token FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.refresh_token OWNER TO underway_owner;

CREATE TABLE underway.regrade_note (
    number bigint NOT NULL,
    member bigint NOT NULL
);

ALTER TABLE ONLY underway.regrade_note FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.regrade_note OWNER TO underway_owner;

ALTER TABLE underway.regrade_note ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME underway.regrade_note_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE underway.regrade_state (
    one integer NOT NULL,
    release bigint NOT NULL,
    digest text NOT NULL COLLATE pg_catalog."C",
    swept_through bigint,
    CONSTRAINT regrade_state_one_check CHECK ((one = 1))
);

ALTER TABLE ONLY underway.regrade_state FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.regrade_state OWNER TO underway_owner;

CREATE TABLE underway.release_spread (
    release bigint NOT NULL,
    served_at bigint NOT NULL,
    half bigint,
    most bigint,
    nearly_all bigint
);

ALTER TABLE ONLY underway.release_spread FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.release_spread OWNER TO underway_owner;

CREATE TABLE underway.result (
    account bigint NOT NULL,
    device integer NOT NULL,
    counter bigint NOT NULL,
    kind text NOT NULL,
    revision bigint DEFAULT 0 NOT NULL,
    refusal text DEFAULT ''::text NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT result_counter_check CHECK ((counter > 0)),
    CONSTRAINT result_kind_check CHECK ((kind = ANY (ARRAY['accepted'::text, 'merged'::text, 'conflict'::text, 'refused'::text])))
);

ALTER TABLE ONLY underway.result FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.result OWNER TO underway_owner;

CREATE VIEW underway.retention WITH (security_invoker='true') AS
 WITH repeats AS (
         SELECT a.account,
            (((a.flags)::integer & 1) + COALESCE(r.correct, 0)) AS correct,
            ((a.at - lag(a.at) OVER (PARTITION BY a.account, v.question ORDER BY a.at, a.device, a.counter)) / 86400000) AS days
           FROM ((underway.answer a
             JOIN underway.own_name v ON (((v.account = a.account) AND (v.number = a.question))))
             LEFT JOIN underway.regraded_answer r ON (((r.account = a.account) AND (r.device = a.device) AND (r.counter = a.counter))))
        ), spans AS (
         SELECT repeats.account,
            repeats.correct,
                CASE
                    WHEN (repeats.days < 1) THEN 0
                    WHEN (repeats.days < 2) THEN 1
                    WHEN (repeats.days < 4) THEN 2
                    WHEN (repeats.days < 8) THEN 4
                    WHEN (repeats.days < 15) THEN 8
                    WHEN (repeats.days < 31) THEN 15
                    WHEN (repeats.days < 91) THEN 31
                    ELSE 91
                END AS days_since
           FROM repeats
          WHERE (repeats.days IS NOT NULL)
        )
 SELECT spans.account,
    spans.days_since,
    count(*) AS answers,
    sum(spans.correct) AS correct,
    ((sum(spans.correct))::double precision / (count(*))::double precision) AS retention
   FROM spans
  GROUP BY spans.account, spans.days_since;

ALTER TABLE underway.retention OWNER TO underway_owner;

CREATE TABLE underway.review_change (
    number bigint NOT NULL,
    member bigint NOT NULL
);

ALTER TABLE ONLY underway.review_change FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.review_change OWNER TO underway_owner;

ALTER TABLE underway.review_change ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME underway.review_change_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE underway.revocation (
    kind text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    at bigint NOT NULL,
    kept text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    token_generation bigint DEFAULT 0 NOT NULL,
    CONSTRAINT revocation_kind_check CHECK ((kind = ANY (ARRAY['account'::text, 'family'::text, 'sessions'::text])))
);

ALTER TABLE ONLY underway.revocation FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.revocation OWNER TO underway_owner;

CREATE TABLE underway.role (
    account bigint NOT NULL,
    role text NOT NULL COLLATE pg_catalog."C",
    since bigint NOT NULL,
    CONSTRAINT role_role_check CHECK ((role = ANY (ARRAY['author'::text, 'publisher'::text, 'administrator'::text])))
);

ALTER TABLE ONLY underway.role FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.role OWNER TO underway_owner;

CREATE TABLE underway.session (
    account bigint NOT NULL,
    number integer NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    mode text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT session_number_check CHECK ((number > 0))
);

ALTER TABLE ONLY underway.session FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.session OWNER TO underway_owner;

CREATE TABLE underway.session_score (
    account bigint NOT NULL,
    bank text NOT NULL COLLATE pg_catalog."C",
    session bigint NOT NULL,
    mode text NOT NULL COLLATE pg_catalog."C",
    answers integer NOT NULL,
    points integer NOT NULL,
    first_answers integer NOT NULL,
    first_points integer NOT NULL,
    ended_at bigint NOT NULL
);

ALTER TABLE ONLY underway.session_score FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.session_score OWNER TO underway_owner;

CREATE TABLE underway.setting (
    name text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL
);

ALTER TABLE ONLY underway.setting FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.setting OWNER TO underway_owner;

CREATE VIEW underway.study_streak WITH (security_invoker='true') AS
 WITH days AS (
         SELECT answer_day.account,
            answer_day.day,
            (answer_day.day - row_number() OVER (PARTITION BY answer_day.account ORDER BY answer_day.day)) AS island
           FROM underway.answer_day
          GROUP BY answer_day.account, answer_day.day
        )
 SELECT days.account,
    ('1970-01-01'::date + min(days.day)) AS first_day,
    ('1970-01-01'::date + max(days.day)) AS last_day,
    count(*) AS days
   FROM days
  GROUP BY days.account, days.island;

ALTER TABLE underway.study_streak OWNER TO underway_owner;

INSERT INTO content.domains VALUES ('de', 'a', 'one', 'One', 1, 0);

INSERT INTO content.exams VALUES ('de', 'a', 'Exam', '1', '{}', '{}', 'sum', '2026-09-21 14:13:20+00', 3);

INSERT INTO content.questions VALUES ('de', 'a', 'x', 'one', 'single-choice', 2, 'Which?', NULL, NULL, NULL, '[{"id": "a", "text": "A"}, {"id": "b", "text": "B"}]', '[0]', NULL, '{}', true, false, 90, 'sum', '2026-09-21 14:13:20+00', 3);

INSERT INTO content.regions VALUES ('de');

INSERT INTO content.removed_exams VALUES ('de', 'b', '2026-09-20 00:00:00+00', 2);

INSERT INTO content.removed_questions VALUES ('de', 'a', 'y', '2026-09-20 00:00:00+00', 2);

INSERT INTO content.state VALUES (1, '808f6f6b-f5f4-4767-8cb4-9904012ff3d4', 3, 2, 'kept', '2026-09-21 14:13:20+00');

INSERT INTO underway.account OVERRIDING SYSTEM VALUE VALUES (1, 'u', '7d8c5a3d-3bd3-83d5-80d5-8f54b0ab4d63', 0, 6, 0, '2.37f3e167bd6e199d.5272a83cd71199dd', 'kept-u', '{"stars": 4}', 489, 368, 6, 0, NULL, 0);
INSERT INTO underway.account OVERRIDING SYSTEM VALUE VALUES (2, 'v', '8298b668-7d07-8e38-b033-c6b246ede177', 0, 3, 0, '1.dc36339c98c0ba3e.af1dbebe79f14f16', 'kept-v', '{"stars": 2}', 242, 184, 3, 0, NULL, 0);

INSERT INTO underway.account_move VALUES ('moved', 'u', 0, 1790000000000, 1790000000000, '{}');

INSERT INTO underway.answer VALUES (1, 1790000000000, 1, 1, -4, 1, -2, 1500, 0, 1, NULL, NULL, NULL);
INSERT INTO underway.answer VALUES (1, NULL, 1, 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO underway.answer VALUES (1, 1790000000000, 1, 3, -5, 1, NULL, 1500, 0, 0, NULL, '["#42"]', NULL);
INSERT INTO underway.answer VALUES (1, 1790000000000, 2, 1, -4, 1, -2, 1500, 0, 1, NULL, NULL, NULL);
INSERT INTO underway.answer VALUES (1, NULL, 2, 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO underway.answer VALUES (1, 1790000000000, 2, 3, -5, 1, NULL, 1500, 0, 0, NULL, '["#42"]', NULL);
INSERT INTO underway.answer VALUES (2, 1790000000000, 1, 1, -4, 1, -2, 1500, 0, 1, NULL, NULL, NULL);
INSERT INTO underway.answer VALUES (2, NULL, 1, 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO underway.answer VALUES (2, 1790000000000, 1, 3, -5, 1, NULL, 1500, 0, 0, NULL, '["#42"]', NULL);

INSERT INTO underway.answer_day VALUES (1, 20717, 'es', 'd1', 4, 2, 2, 2, 6000, 1790000000000, '{0,0,0,0,0,0,4}');
INSERT INTO underway.answer_day VALUES (2, 20717, 'es', 'd1', 2, 1, 2, 2, 3000, 1790000000000, '{0,0,0,0,0,0,2}');

INSERT INTO underway.audit OVERRIDING SYSTEM VALUE VALUES (1, 1790000000000, 'operator:ada', 'role.granted', 'u', 'author');

INSERT INTO underway.board OVERRIDING SYSTEM VALUE VALUES (1, 'es', 'day', '2026-09-21', 1789948800000, 1790035200000, 'es UTC {"counts":"sum","firstAttemptsOnly":false,"modes":[],"questionsMin":1}', NULL, 1790000000000, false);
INSERT INTO underway.board OVERRIDING SYSTEM VALUE VALUES (2, 'es', 'week', '2026-09-21', 1789948800000, 1790553600000, 'es UTC {"counts":"sum","firstAttemptsOnly":false,"modes":[],"questionsMin":1}', NULL, 1790000000000, false);
INSERT INTO underway.board OVERRIDING SYSTEM VALUE VALUES (3, 'es', 'month', '2026-09-01', 1788220800000, 1790812800000, 'es UTC {"counts":"sum","firstAttemptsOnly":false,"modes":[],"questionsMin":1}', NULL, 1790000000000, false);
INSERT INTO underway.board OVERRIDING SYSTEM VALUE VALUES (4, 'es', 'all', '', 0, NULL, 'es UTC {"counts":"sum","firstAttemptsOnly":false,"modes":[],"questionsMin":1}', NULL, 1790000000000, false);

INSERT INTO underway.board_bucket VALUES (1, 0, 2);
INSERT INTO underway.board_bucket VALUES (2, 0, 2);
INSERT INTO underway.board_bucket VALUES (3, 0, 2);
INSERT INTO underway.board_bucket VALUES (4, 0, 2);

INSERT INTO underway.board_change OVERRIDING SYSTEM VALUE VALUES (4, 1);

INSERT INTO underway.board_definition VALUES ('es', '{"bank":"es","graceHours":24,"name":"es","periods":["day","week","month","all"],"rule":{"counts":"sum","firstAttemptsOnly":false,"modes":[],"questionsMin":1},"timeZone":"UTC"}');

INSERT INTO underway.board_profile VALUES (1, '14RGP6MEEB', 'Ada', true, false);

INSERT INTO underway.board_score VALUES (1, 1, 9223371948450462592);
INSERT INTO underway.board_score VALUES (1, 2, 9223371991400135552);
INSERT INTO underway.board_score VALUES (2, 1, 9223371948450462592);
INSERT INTO underway.board_score VALUES (2, 2, 9223371991400135552);
INSERT INTO underway.board_score VALUES (3, 1, 9223371948450462592);
INSERT INTO underway.board_score VALUES (3, 2, 9223371991400135552);
INSERT INTO underway.board_score VALUES (4, 1, 9223371948450462592);
INSERT INTO underway.board_score VALUES (4, 2, 9223371991400135552);

INSERT INTO underway.contributor OVERRIDING SYSTEM VALUE VALUES (1, 1, 1790000000000);

INSERT INTO underway.corrected_version VALUES ('es', 'q1', 'v1', 'a2dd0251-1e39-4d63-8584-9046a3ba99fe');

INSERT INTO underway.damaged_record VALUES (2, 'stars', 'lost', 1, 1790000000000, '{"broken"');

INSERT INTO underway.device VALUES (1, 1, 'phone', 3, 1790000000000, false, 0, 1, '\x4f36152dbcb62e6593c93b097c801d92', 0, '', -8158010779219856617, 9106631716762942335);
INSERT INTO underway.device VALUES (1, 2, 'tablet', 3, 1790000000000, false, 0, 1, '\x7a159624002edef7650a5e5d68f11d32', 0, '', -1290168589103751499, -1787260771053005983);
INSERT INTO underway.device VALUES (2, 1, 'phone', 3, 1790000000000, false, 0, 1, '\x0cbb936a9c19e05c7e99c68c3d74aeb2', 0, '', -8158010779219856617, 9106631716762942335);

INSERT INTO underway.device_content VALUES (1, 1, 17, 'storage', 1790000000000, 20717);

INSERT INTO underway.email_code VALUES (1, 'resetPassword', '\x0505050505050505050505050505050505050505050505050505050505050505', 'ada@example.org', 1790001800);

INSERT INTO underway.event OVERRIDING SYSTEM VALUE VALUES (1, 'MQacOkQAQ1qg', 'finals', '{"bank":"es","endsAt":1790003600,"name":"finals","rule":{"counts":"sum","pointsMax":100,"submissionsMax":1000},"startsAt":1790000000,"title":"finals"}', NULL, 0);

INSERT INTO underway.event_score VALUES (1, 1, 7, 0, 1, 782, NULL);

INSERT INTO underway.event_submission VALUES (1, 1, 'a', 7, 1790000000000);

INSERT INTO underway.failed_attempt VALUES ('email', '\x0606060606060606060606060606060606060606060606060606060606060606', 1, 2, 3, 1790000000);

INSERT INTO underway.first_answer OVERRIDING SYSTEM VALUE VALUES (1, 1, 42, '["a"]', 3);

INSERT INTO underway.first_answer_inbox OVERRIDING SYSTEM VALUE VALUES (1, 1, 43, '["b"]', 2);

INSERT INTO underway.identity VALUES ('https://issuer.example', 'ada', 1);

INSERT INTO underway.instance_mark VALUES ('first', 'first.mark', 1790000000000);

INSERT INTO underway.mark VALUES (1, 3, 'kept-u');
INSERT INTO underway.mark VALUES (1, 6, 'kept-u');
INSERT INTO underway.mark VALUES (2, 3, 'kept-v');

INSERT INTO underway.migration VALUES ('1 ledger', 'b4288b939d97916fe9087cda47d13f5b49ce52c698b06296c0396525b909c659', false, '2026-11-28 18:29:52.730725+00');
INSERT INTO underway.migration VALUES ('2 accounts', '71ca26a72879834ba753367ce086afa8d4f9a298ede4f0875935acededbc82b0', false, '2026-11-28 18:29:52.772764+00');
INSERT INTO underway.migration VALUES ('3 checks', '8c8b14bdc65256a61f031b7f9a35e93dbfc35275a312cfcfa04996d2a13a7f9d', false, '2026-11-28 18:29:52.795552+00');
INSERT INTO underway.migration VALUES ('content 1 exams and questions', '10ee4adbfc657ce5ee47851ebd944f820154485152c232796db4d3c867221ecb', false, '2026-11-28 18:29:52.798626+00');
INSERT INTO underway.migration VALUES ('4 statistics by difficulty', 'de2475dcfedbb04a4a277112fed8aa20d0fb1a1ff50efc6a32e8f9a41088fbd1', false, '2026-11-28 18:29:52.819539+00');
INSERT INTO underway.migration VALUES ('content 2 options in two cases', 'f4b7558832f61f2a7dcdfd2407144f15091974530682390b31e30418094ce18b', false, '2026-11-28 18:29:52.82187+00');
INSERT INTO underway.migration VALUES ('5 boards', 'ee63865b2c49ca7e4eeabe03c7f67d7f59eca92dcd455c89a35f0ef4a750a84f', false, '2026-11-28 18:29:52.823191+00');
INSERT INTO underway.migration VALUES ('6 events', '256430fe9600888047a4e8274f1c9bf8beec5ea55b0e284748d5a6c6e7147dc1', false, '2026-11-28 18:29:52.834937+00');
INSERT INTO underway.migration VALUES ('7 operations', 'c07ee6fce7487fc1bc9c003cdbc4fb872b576b7b3ea86dde45ab119807d1a3dc', false, '2026-11-28 18:29:52.843215+00');
INSERT INTO underway.migration VALUES ('8 review', '8f2d123fc437397b70a772a6f1d3a1b02c72dc279c207c7a4462db9311fe9244', false, '2026-11-28 18:29:52.850979+00');
INSERT INTO underway.migration VALUES ('9 regrading', '27fd6ce8071cca07ce76c1b80d24565419b3e8f1d6ba590dafcbd6613d1d32af', false, '2026-11-28 18:29:52.865068+00');
INSERT INTO underway.migration VALUES ('10 derived accounts', 'cef0c0338b561eeb54b9ba7f2f9a90cc07f0c874d3ab6c66cbe6e9663e5e7ef0', false, '2026-11-28 18:29:52.875247+00');
INSERT INTO underway.migration VALUES ('11 digests of answers', 'b307b5af67172499e0636c28a87156a95afbf49eef84128558286607eff9782c', false, '2026-11-28 18:29:52.883008+00');
INSERT INTO underway.migration VALUES ('12 offsets of answers', '30ede94c6183d73fb7e4cb3c7e174f4e3ebf981ccc2e08f23c2418107de5863f', false, '2026-11-28 18:29:52.884033+00');
INSERT INTO underway.migration VALUES ('13 moves', '4ee92c440da724e5a85923e3088c2b76d1f084dda2cc48d5fb653b4e3015b95a', false, '2026-11-28 18:29:52.885184+00');

INSERT INTO underway.own_name VALUES (1, -1, 'question', '88cddbba-a8f7-bc59-018b-4d9fa0ab2e36', NULL, 'es', NULL, 'q1');
INSERT INTO underway.own_name VALUES (1, -2, 'options', 'd4c167fe-e7b1-399a-dc87-4ea987584143', NULL, NULL, NULL, '["a"]');
INSERT INTO underway.own_name VALUES (1, -3, 'question', '7be473f0-db54-6b08-4ef0-23abb2a5130e', NULL, 'es', NULL, 'q2');
INSERT INTO underway.own_name VALUES (1, -4, 'version', '8416a759-f9ac-1c06-b69a-aa18a60718b4', -1, NULL, 'd1', 'v1');
INSERT INTO underway.own_name VALUES (1, -5, 'version', '7428e669-2d71-112c-e0ee-6c5add0a809b', -3, NULL, 'd1', 'v1');
INSERT INTO underway.own_name VALUES (2, -1, 'question', '88cddbba-a8f7-bc59-018b-4d9fa0ab2e36', NULL, 'es', NULL, 'q1');
INSERT INTO underway.own_name VALUES (2, -2, 'options', 'd4c167fe-e7b1-399a-dc87-4ea987584143', NULL, NULL, NULL, '["a"]');
INSERT INTO underway.own_name VALUES (2, -3, 'question', '7be473f0-db54-6b08-4ef0-23abb2a5130e', NULL, 'es', NULL, 'q2');
INSERT INTO underway.own_name VALUES (2, -4, 'version', '8416a759-f9ac-1c06-b69a-aa18a60718b4', -1, NULL, 'd1', 'v1');
INSERT INTO underway.own_name VALUES (2, -5, 'version', '7428e669-2d71-112c-e0ee-6c5add0a809b', -3, NULL, 'd1', 'v1');

INSERT INTO underway.password VALUES (1, 'ada@example.org', '\x07070707070707070707070707070707', '\x7ca67e24fbba5809a526b94abafc14e424db747501226cf3e04077c34af84496', 1024, 1790000000);

INSERT INTO underway.proposal OVERRIDING SYSTEM VALUE VALUES (1, 'es', 'q1', 'v1', 'a', 'b', 'open', '{"respondents":40}', 1790000000000, 1790000000000, NULL, NULL, '', NULL, NULL, NULL);

INSERT INTO underway.question_day VALUES (1, 20717, -1);
INSERT INTO underway.question_day VALUES (1, 20717, -3);
INSERT INTO underway.question_day VALUES (2, 20717, -1);
INSERT INTO underway.question_day VALUES (2, 20717, -3);

INSERT INTO underway.question_domain VALUES (1, -1, 'd1');
INSERT INTO underway.question_domain VALUES (1, -3, 'd1');
INSERT INTO underway.question_domain VALUES (2, -1, 'd1');
INSERT INTO underway.question_domain VALUES (2, -3, 'd1');

INSERT INTO underway.question_report VALUES (2, 'es', 'q1', 'v1', 'unclear', 'Which?', 1790000000000);

INSERT INTO underway.record VALUES (1, 'stars', 'phone-a', 1, 1, NULL, '{"by":["phone",1],"collection":"stars","fields":{"n":1},"id":"phone-a","revision":1,"time":[1790000000001,0]}');
INSERT INTO underway.record VALUES (1, 'stars', 'phone-b', 3, 1, 1790000000000, '{"by":["phone",3],"collection":"stars","deleted":true,"id":"phone-b","overwritten":{"phone":2},"revision":3,"time":[1790000000003,0]}');
INSERT INTO underway.record VALUES (1, 'stars', 'tablet-a', 4, 4, NULL, '{"by":["tablet",1],"collection":"stars","fields":{"n":1},"id":"tablet-a","revision":4,"time":[1790000000001,0]}');
INSERT INTO underway.record VALUES (1, 'stars', 'tablet-b', 6, 4, 1790000000000, '{"by":["tablet",3],"collection":"stars","deleted":true,"id":"tablet-b","overwritten":{"tablet":2},"revision":6,"time":[1790000000003,0]}');
INSERT INTO underway.record VALUES (2, 'stars', 'phone-a', 1, 1, NULL, '{"by":["phone",1],"collection":"stars","fields":{"n":1},"id":"phone-a","revision":1,"time":[1790000000001,0]}');
INSERT INTO underway.record VALUES (2, 'stars', 'phone-b', 3, 1, 1790000000000, '{"by":["phone",3],"collection":"stars","deleted":true,"id":"phone-b","overwritten":{"phone":2},"revision":3,"time":[1790000000003,0]}');

INSERT INTO underway.refresh_token VALUES ('\x15ebe4f459cf303e73f740aab93627b9e3726d3768712d4624b183b1e84c3b8f', 'kept', NULL, 2, 1900000000, NULL, 0);

INSERT INTO underway.regrade_note OVERRIDING SYSTEM VALUE VALUES (1, 2);

INSERT INTO underway.regrade_state VALUES (1, 17, 'none', NULL);

INSERT INTO underway.regraded_answer VALUES (2, 1, 1, 'es', 1, 20000, '', true, 1, 1, 10, 10);

INSERT INTO underway.release_spread VALUES (17, 1790000000000, 1790000060000, NULL, NULL);

INSERT INTO underway.result VALUES (1, 1, 1, 'accepted', 1, '', '\x53295a81130821f416657a51c5a96c24');
INSERT INTO underway.result VALUES (1, 1, 2, 'accepted', 2, '', '\xb5ebe099c82cec02411ec5e439b0b642');
INSERT INTO underway.result VALUES (1, 1, 3, 'accepted', 3, '', '\xecb2163d830a9caecb093466e3ebb494');
INSERT INTO underway.result VALUES (1, 2, 1, 'accepted', 4, '', '\x0f2df0e19615eea00602f9ee54886587');
INSERT INTO underway.result VALUES (1, 2, 2, 'accepted', 5, '', '\xcbbfb1fc2452b900039ec24b92d039cf');
INSERT INTO underway.result VALUES (1, 2, 3, 'accepted', 6, '', '\x5b0ed482f00c1786f91e60eb8ef09a00');
INSERT INTO underway.result VALUES (2, 1, 1, 'accepted', 1, '', '\x53295a81130821f416657a51c5a96c24');
INSERT INTO underway.result VALUES (2, 1, 2, 'accepted', 2, '', '\xb5ebe099c82cec02411ec5e439b0b642');
INSERT INTO underway.result VALUES (2, 1, 3, 'accepted', 3, '', '\xecb2163d830a9caecb093466e3ebb494');

INSERT INTO underway.review_change OVERRIDING SYSTEM VALUE VALUES (1, 1);
INSERT INTO underway.review_change OVERRIDING SYSTEM VALUE VALUES (2, 2);

INSERT INTO underway.revocation VALUES ('family', 'ended', 1790000000000, '', 0);

INSERT INTO underway.role VALUES (1, 'author', 1790000000000);

INSERT INTO underway.session VALUES (1, 1, 's1', 'study');
INSERT INTO underway.session VALUES (2, 1, 's1', 'study');

INSERT INTO underway.session_score VALUES (1, 'es', -627557063319507186, 'study', 4, 20, 4, 20, 1790000000000);
INSERT INTO underway.session_score VALUES (2, 'es', -627557063319507186, 'study', 2, 10, 2, 10, 1790000000000);

INSERT INTO underway.setting VALUES ('generation', '1790000000');

SELECT pg_catalog.setval('underway.account_number_seq', 2, true);

SELECT pg_catalog.setval('underway.audit_number_seq', 1, true);

SELECT pg_catalog.setval('underway.board_change_number_seq', 4, true);

SELECT pg_catalog.setval('underway.board_number_seq', 4, true);

SELECT pg_catalog.setval('underway.contributor_number_seq', 1, true);

SELECT pg_catalog.setval('underway.event_number_seq', 1, true);

SELECT pg_catalog.setval('underway.first_answer_inbox_number_seq', 1, true);

SELECT pg_catalog.setval('underway.first_answer_number_seq', 1, true);

SELECT pg_catalog.setval('underway.proposal_number_seq', 1, true);

SELECT pg_catalog.setval('underway.regrade_note_number_seq', 1, true);

SELECT pg_catalog.setval('underway.review_change_number_seq', 2, true);

ALTER TABLE ONLY content.domains
    ADD CONSTRAINT domains_pkey PRIMARY KEY (region, exam, id);

ALTER TABLE ONLY content.exams
    ADD CONSTRAINT exams_pkey PRIMARY KEY (region, id);

ALTER TABLE ONLY content.questions
    ADD CONSTRAINT questions_pkey PRIMARY KEY (region, exam, id);

ALTER TABLE ONLY content.regions
    ADD CONSTRAINT regions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY content.removed_exams
    ADD CONSTRAINT removed_exams_pkey PRIMARY KEY (region, id);

ALTER TABLE ONLY content.removed_questions
    ADD CONSTRAINT removed_questions_pkey PRIMARY KEY (region, exam, id);

ALTER TABLE ONLY content.state
    ADD CONSTRAINT state_pkey PRIMARY KEY (number);

ALTER TABLE ONLY underway.account
    ADD CONSTRAINT account_id_key UNIQUE (id);

ALTER TABLE ONLY underway.account_move
    ADD CONSTRAINT account_move_pkey PRIMARY KEY (source);

ALTER TABLE ONLY underway.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (number);

ALTER TABLE ONLY underway.account
    ADD CONSTRAINT account_user_id_key UNIQUE (user_id);

ALTER TABLE ONLY underway.answer_day
    ADD CONSTRAINT answer_day_pkey PRIMARY KEY (account, day, bank, domain);

ALTER TABLE ONLY underway.answer
    ADD CONSTRAINT answer_pkey PRIMARY KEY (account, device, counter);

ALTER TABLE ONLY underway.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (number);

ALTER TABLE ONLY underway.board_bucket
    ADD CONSTRAINT board_bucket_pkey PRIMARY KEY (board, low);

ALTER TABLE ONLY underway.board_change
    ADD CONSTRAINT board_change_pkey PRIMARY KEY (number);

ALTER TABLE ONLY underway.board_definition
    ADD CONSTRAINT board_definition_pkey PRIMARY KEY (name);

ALTER TABLE ONLY underway.board
    ADD CONSTRAINT board_name_period_first_day_scoring_key UNIQUE (name, period, first_day, scoring);

ALTER TABLE ONLY underway.board
    ADD CONSTRAINT board_pkey PRIMARY KEY (number);

ALTER TABLE ONLY underway.board_profile
    ADD CONSTRAINT board_profile_code_key UNIQUE (code);

ALTER TABLE ONLY underway.board_profile
    ADD CONSTRAINT board_profile_pkey PRIMARY KEY (account);

ALTER TABLE ONLY underway.board_score
    ADD CONSTRAINT board_score_pkey PRIMARY KEY (member, board);

ALTER TABLE ONLY underway.contributor
    ADD CONSTRAINT contributor_number_key UNIQUE (number);

ALTER TABLE ONLY underway.contributor
    ADD CONSTRAINT contributor_pkey PRIMARY KEY (account);

ALTER TABLE ONLY underway.corrected_version
    ADD CONSTRAINT corrected_version_pkey PRIMARY KEY (bank, question, version);

ALTER TABLE ONLY underway.damaged_record
    ADD CONSTRAINT damaged_record_pkey PRIMARY KEY (account, "position");

ALTER TABLE ONLY underway.device
    ADD CONSTRAINT device_account_name_key UNIQUE (account, name);

ALTER TABLE ONLY underway.device_content
    ADD CONSTRAINT device_content_pkey PRIMARY KEY (account, device);

ALTER TABLE ONLY underway.device
    ADD CONSTRAINT device_pkey PRIMARY KEY (account, number);

ALTER TABLE ONLY underway.email_code
    ADD CONSTRAINT email_code_pkey PRIMARY KEY (account, purpose, hash);

ALTER TABLE ONLY underway.event
    ADD CONSTRAINT event_id_key UNIQUE (id);

ALTER TABLE ONLY underway.event
    ADD CONSTRAINT event_name_key UNIQUE (name);

ALTER TABLE ONLY underway.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (number);

ALTER TABLE ONLY underway.event_score
    ADD CONSTRAINT event_score_pkey PRIMARY KEY (event, account);

ALTER TABLE ONLY underway.event_submission
    ADD CONSTRAINT event_submission_pkey PRIMARY KEY (event, account, id);

ALTER TABLE ONLY underway.failed_attempt
    ADD CONSTRAINT failed_attempt_pkey PRIMARY KEY (limit_name, name);

ALTER TABLE ONLY underway.first_answer
    ADD CONSTRAINT first_answer_contributor_item_key UNIQUE (contributor, item);

ALTER TABLE ONLY underway.first_answer_inbox
    ADD CONSTRAINT first_answer_inbox_pkey PRIMARY KEY (number);

ALTER TABLE ONLY underway.first_answer
    ADD CONSTRAINT first_answer_pkey PRIMARY KEY (number);

ALTER TABLE ONLY underway.identity
    ADD CONSTRAINT identity_pkey PRIMARY KEY (issuer, subject);

ALTER TABLE ONLY underway.instance_mark
    ADD CONSTRAINT instance_mark_pkey PRIMARY KEY (instance);

ALTER TABLE ONLY underway.mark
    ADD CONSTRAINT mark_pkey PRIMARY KEY (account, "position");

ALTER TABLE ONLY underway.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (name);

ALTER TABLE ONLY underway.own_name
    ADD CONSTRAINT own_name_account_digest_key UNIQUE (account, digest);

ALTER TABLE ONLY underway.own_name
    ADD CONSTRAINT own_name_pkey PRIMARY KEY (account, number);

ALTER TABLE ONLY underway.password
    ADD CONSTRAINT password_email_key UNIQUE (email);

ALTER TABLE ONLY underway.password
    ADD CONSTRAINT password_pkey PRIMARY KEY (account);

ALTER TABLE ONLY underway.proposal
    ADD CONSTRAINT proposal_pkey PRIMARY KEY (number);

ALTER TABLE ONLY underway.question_day
    ADD CONSTRAINT question_day_pkey PRIMARY KEY (account, day, question);

ALTER TABLE ONLY underway.question_domain
    ADD CONSTRAINT question_domain_pkey PRIMARY KEY (account, question, domain);

ALTER TABLE ONLY underway.question_report
    ADD CONSTRAINT question_report_pkey PRIMARY KEY (account, bank, question);

ALTER TABLE ONLY underway.record
    ADD CONSTRAINT record_pkey PRIMARY KEY (account, collection, id);

ALTER TABLE ONLY underway.refresh_token
    ADD CONSTRAINT refresh_token_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY underway.regrade_note
    ADD CONSTRAINT regrade_note_pkey PRIMARY KEY (number);

ALTER TABLE ONLY underway.regrade_state
    ADD CONSTRAINT regrade_state_pkey PRIMARY KEY (one);

ALTER TABLE ONLY underway.regraded_answer
    ADD CONSTRAINT regraded_answer_pkey PRIMARY KEY (account, device, counter);

ALTER TABLE ONLY underway.release_spread
    ADD CONSTRAINT release_spread_pkey PRIMARY KEY (release);

ALTER TABLE ONLY underway.result
    ADD CONSTRAINT result_pkey PRIMARY KEY (account, device, counter);

ALTER TABLE ONLY underway.review_change
    ADD CONSTRAINT review_change_pkey PRIMARY KEY (number);

ALTER TABLE ONLY underway.revocation
    ADD CONSTRAINT revocation_pkey PRIMARY KEY (kind, name);

ALTER TABLE ONLY underway.role
    ADD CONSTRAINT role_pkey PRIMARY KEY (account, role);

ALTER TABLE ONLY underway.session
    ADD CONSTRAINT session_account_name_mode_key UNIQUE (account, name, mode);

ALTER TABLE ONLY underway.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (account, number);

ALTER TABLE ONLY underway.session_score
    ADD CONSTRAINT session_score_pkey PRIMARY KEY (account, bank, session);

ALTER TABLE ONLY underway.setting
    ADD CONSTRAINT setting_pkey PRIMARY KEY (name);

CREATE INDEX questions_changes ON content.questions USING btree (region, exam, content_updated_at, revision, id) INCLUDE (bytes);

CREATE INDEX questions_difficulty ON content.questions USING btree (region, exam, difficulty, id);

CREATE INDEX removed_questions_changes ON content.removed_questions USING btree (region, exam, content_updated_at, revision, id);

CREATE INDEX account_by_deletion ON underway.account USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

CREATE INDEX account_by_use ON underway.account USING btree (last_used_at, number);

CREATE INDEX account_move_by_end ON underway.account_move USING btree (finished_at);

CREATE INDEX account_move_by_target ON underway.account_move USING btree (target);

CREATE INDEX audit_by_action ON underway.audit USING btree (action, actor, number);

CREATE INDEX audit_by_time ON underway.audit USING btree (at);

CREATE UNIQUE INDEX board_score_by_key ON underway.board_score USING btree (board, key, member);

CREATE INDEX device_content_by_day ON underway.device_content USING btree (day, release, obstacle);

CREATE INDEX email_code_by_expiry ON underway.email_code USING btree (expires_at);

CREATE INDEX event_score_by_account ON underway.event_score USING btree (account);

CREATE INDEX event_score_by_change ON underway.event_score USING btree (event, change);

CREATE INDEX event_score_by_rank ON underway.event_score USING btree (event, rank) WHERE (rank IS NOT NULL);

CREATE INDEX event_submission_by_account ON underway.event_submission USING btree (account);

CREATE INDEX failed_attempt_by_expiry ON underway.failed_attempt USING btree (expires_at);

CREATE INDEX first_answer_inbox_by_account ON underway.first_answer_inbox USING btree (account);

CREATE INDEX identity_by_account ON underway.identity USING btree (account);

CREATE INDEX proposal_by_change ON underway.proposal USING btree (state, changed_at);

CREATE INDEX proposal_by_question ON underway.proposal USING btree (bank, question, number);

CREATE UNIQUE INDEX proposal_pending ON underway.proposal USING btree (bank, question) WHERE (state = ANY (ARRAY['open'::text, 'confirmed'::text]));

CREATE INDEX question_report_by_question ON underway.question_report USING btree (bank, question, version);

CREATE INDEX question_report_by_time ON underway.question_report USING btree (at);

CREATE INDEX record_by_deletion ON underway.record USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

CREATE UNIQUE INDEX record_by_position ON underway.record USING btree (account, "position");

CREATE INDEX refresh_token_by_account ON underway.refresh_token USING btree (account);

CREATE INDEX refresh_token_by_expiry ON underway.refresh_token USING btree (expires_at);

CREATE INDEX refresh_token_by_family ON underway.refresh_token USING btree (family);

CREATE INDEX refresh_token_by_parent ON underway.refresh_token USING btree (parent);

CREATE INDEX regrade_note_by_member ON underway.regrade_note USING btree (member);

CREATE INDEX revocation_by_time ON underway.revocation USING btree (at);

CREATE INDEX session_score_by_bank ON underway.session_score USING btree (bank, account);

CREATE INDEX session_score_by_end ON underway.session_score USING btree (account, bank, ended_at);

CREATE TRIGGER erase_answers AFTER DELETE ON underway.account FOR EACH ROW EXECUTE FUNCTION underway.erase_answers();

ALTER TABLE ONLY content.domains
    ADD CONSTRAINT domains_region_exam_fkey FOREIGN KEY (region, exam) REFERENCES content.exams(region, id) ON DELETE CASCADE;

ALTER TABLE ONLY content.exams
    ADD CONSTRAINT exams_region_fkey FOREIGN KEY (region) REFERENCES content.regions(id);

ALTER TABLE ONLY content.questions
    ADD CONSTRAINT questions_region_exam_domain_fkey FOREIGN KEY (region, exam, domain) REFERENCES content.domains(region, exam, id);

ALTER TABLE ONLY content.questions
    ADD CONSTRAINT questions_region_exam_fkey FOREIGN KEY (region, exam) REFERENCES content.exams(region, id);

ALTER TABLE ONLY underway.answer_day
    ADD CONSTRAINT answer_day_account_fkey FOREIGN KEY (account) REFERENCES underway.account(number) ON DELETE CASCADE;

ALTER TABLE ONLY underway.board_bucket
    ADD CONSTRAINT board_bucket_board_fkey FOREIGN KEY (board) REFERENCES underway.board(number) ON DELETE CASCADE;

ALTER TABLE ONLY underway.board_profile
    ADD CONSTRAINT board_profile_account_fkey FOREIGN KEY (account) REFERENCES underway.account(number) ON DELETE CASCADE;

ALTER TABLE ONLY underway.contributor
    ADD CONSTRAINT contributor_account_fkey FOREIGN KEY (account) REFERENCES underway.account(number) ON DELETE CASCADE;

ALTER TABLE ONLY underway.damaged_record
    ADD CONSTRAINT damaged_record_account_fkey FOREIGN KEY (account) REFERENCES underway.account(number) ON DELETE CASCADE;

ALTER TABLE ONLY underway.device
    ADD CONSTRAINT device_account_fkey FOREIGN KEY (account) REFERENCES underway.account(number) ON DELETE CASCADE;

ALTER TABLE ONLY underway.device_content
    ADD CONSTRAINT device_content_account_device_fkey FOREIGN KEY (account, device) REFERENCES underway.device(account, number) ON DELETE CASCADE;

ALTER TABLE ONLY underway.email_code
    ADD CONSTRAINT email_code_account_fkey FOREIGN KEY (account) REFERENCES underway.account(number) ON DELETE CASCADE;

ALTER TABLE ONLY underway.event_score
    ADD CONSTRAINT event_score_account_fkey FOREIGN KEY (account) REFERENCES underway.account(number) ON DELETE CASCADE;

ALTER TABLE ONLY underway.event_score
    ADD CONSTRAINT event_score_event_fkey FOREIGN KEY (event) REFERENCES underway.event(number) ON DELETE CASCADE;

ALTER TABLE ONLY underway.event_submission
    ADD CONSTRAINT event_submission_account_fkey FOREIGN KEY (account) REFERENCES underway.account(number) ON DELETE CASCADE;

ALTER TABLE ONLY underway.event_submission
    ADD CONSTRAINT event_submission_event_fkey FOREIGN KEY (event) REFERENCES underway.event(number) ON DELETE CASCADE;

ALTER TABLE ONLY underway.first_answer
    ADD CONSTRAINT first_answer_contributor_fkey FOREIGN KEY (contributor) REFERENCES underway.contributor(number) ON DELETE CASCADE;

ALTER TABLE ONLY underway.first_answer_inbox
    ADD CONSTRAINT first_answer_inbox_account_fkey FOREIGN KEY (account) REFERENCES underway.contributor(account) ON DELETE CASCADE;

ALTER TABLE ONLY underway.identity
    ADD CONSTRAINT identity_account_fkey FOREIGN KEY (account) REFERENCES underway.account(number) ON DELETE CASCADE;

ALTER TABLE ONLY underway.mark
    ADD CONSTRAINT mark_account_fkey FOREIGN KEY (account) REFERENCES underway.account(number) ON DELETE CASCADE;

ALTER TABLE ONLY underway.own_name
    ADD CONSTRAINT own_name_account_fkey FOREIGN KEY (account) REFERENCES underway.account(number) ON DELETE CASCADE;

ALTER TABLE ONLY underway.password
    ADD CONSTRAINT password_account_fkey FOREIGN KEY (account) REFERENCES underway.account(number) ON DELETE CASCADE;

ALTER TABLE ONLY underway.proposal
    ADD CONSTRAINT proposal_follows_fkey FOREIGN KEY (follows) REFERENCES underway.proposal(number);

ALTER TABLE ONLY underway.question_report
    ADD CONSTRAINT question_report_account_fkey FOREIGN KEY (account) REFERENCES underway.account(number) ON DELETE CASCADE;

ALTER TABLE ONLY underway.record
    ADD CONSTRAINT record_account_fkey FOREIGN KEY (account) REFERENCES underway.account(number) ON DELETE CASCADE;

ALTER TABLE ONLY underway.refresh_token
    ADD CONSTRAINT refresh_token_account_fkey FOREIGN KEY (account) REFERENCES underway.account(number) ON DELETE CASCADE;

ALTER TABLE ONLY underway.regraded_answer
    ADD CONSTRAINT regraded_answer_account_fkey FOREIGN KEY (account) REFERENCES underway.account(number) ON DELETE CASCADE;

ALTER TABLE ONLY underway.result
    ADD CONSTRAINT result_account_device_fkey FOREIGN KEY (account, device) REFERENCES underway.device(account, number) ON DELETE CASCADE;

ALTER TABLE ONLY underway.role
    ADD CONSTRAINT role_account_fkey FOREIGN KEY (account) REFERENCES underway.account(number) ON DELETE CASCADE;

ALTER TABLE ONLY underway.session
    ADD CONSTRAINT session_account_fkey FOREIGN KEY (account) REFERENCES underway.account(number) ON DELETE CASCADE;

ALTER TABLE ONLY underway.session_score
    ADD CONSTRAINT session_score_account_fkey FOREIGN KEY (account) REFERENCES underway.account(number) ON DELETE CASCADE;

ALTER TABLE underway.account ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.account_move ENABLE ROW LEVEL SECURITY;

CREATE POLICY accounts ON underway.account TO underway_accounts USING (true) WITH CHECK (true);

CREATE POLICY accounts ON underway.account_move TO underway_accounts USING (true) WITH CHECK (true);

CREATE POLICY accounts ON underway.audit FOR INSERT TO underway_accounts WITH CHECK (true);

CREATE POLICY accounts ON underway.board_change FOR INSERT TO underway_accounts WITH CHECK (true);

CREATE POLICY accounts ON underway.contributor TO underway_accounts USING (true) WITH CHECK (true);

CREATE POLICY accounts ON underway.email_code TO underway_accounts USING (true) WITH CHECK (true);

CREATE POLICY accounts ON underway.failed_attempt TO underway_accounts USING (true) WITH CHECK (true);

CREATE POLICY accounts ON underway.identity TO underway_accounts USING (true) WITH CHECK (true);

CREATE POLICY accounts ON underway.instance_mark TO underway_accounts USING (true) WITH CHECK (true);

CREATE POLICY accounts ON underway.password TO underway_accounts USING (true) WITH CHECK (true);

CREATE POLICY accounts ON underway.question_report TO underway_accounts USING (true) WITH CHECK (true);

CREATE POLICY accounts ON underway.refresh_token TO underway_accounts USING (true) WITH CHECK (true);

CREATE POLICY accounts ON underway.revocation TO underway_accounts USING (true) WITH CHECK (true);

CREATE POLICY accounts ON underway.role TO underway_accounts USING (true) WITH CHECK (true);

CREATE POLICY accounts ON underway.setting TO underway_accounts USING ((name = ANY (ARRAY['generation'::text, 'keyPrint'::text]))) WITH CHECK ((name = ANY (ARRAY['generation'::text, 'keyPrint'::text])));

CREATE POLICY all_read ON underway.corrected_version FOR SELECT TO authenticated USING (true);

CREATE POLICY all_read ON underway.event FOR SELECT TO authenticated USING (true);

CREATE POLICY all_read ON underway.regrade_state FOR SELECT TO authenticated USING (true);

CREATE POLICY all_read ON underway.setting FOR SELECT TO underway_accounts, underway_keeper, authenticated USING (true);

ALTER TABLE underway.answer ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.answer_day ENABLE ROW LEVEL SECURITY;

CREATE POLICY appended ON underway.audit FOR INSERT TO underway_keeper WITH CHECK (true);

ALTER TABLE underway.audit ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.board ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.board_bucket ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.board_change ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.board_definition ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.board_profile ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.board_score ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.contributor ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.corrected_version ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.damaged_record ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.device ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.device_content ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.email_code ENABLE ROW LEVEL SECURITY;

CREATE POLICY erased ON underway.account TO underway_owner USING (((number = ( SELECT underway.erased() AS erased)) OR (deleted_at IS NOT NULL)));

CREATE POLICY erased ON underway.answer TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.answer_day TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.board_profile TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.contributor TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.damaged_record TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.device TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.device_content TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.email_code TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.event_score TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.event_submission TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.first_answer_inbox TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.identity TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.mark TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.own_name TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.password TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.question_day TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.question_domain TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.question_report TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.record TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.refresh_token TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.regraded_answer TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.result TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.role TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.session TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.session_score TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

ALTER TABLE underway.event ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.event_score ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.event_submission ENABLE ROW LEVEL SECURITY;

CREATE POLICY expired ON underway.audit FOR DELETE TO underway_keeper USING ((at < ( SELECT underway.audit_end() AS audit_end)));

ALTER TABLE underway.failed_attempt ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.first_answer ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.first_answer_inbox ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.identity ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.instance_mark ENABLE ROW LEVEL SECURITY;

CREATE POLICY keeper ON underway.account TO underway_keeper USING (true) WITH CHECK (true);

CREATE POLICY keeper ON underway.audit FOR SELECT TO underway_keeper USING (true);

CREATE POLICY keeper ON underway.board TO underway_keeper USING (true) WITH CHECK (true);

CREATE POLICY keeper ON underway.board_bucket TO underway_keeper USING (true) WITH CHECK (true);

CREATE POLICY keeper ON underway.board_change TO underway_keeper USING (true) WITH CHECK (true);

CREATE POLICY keeper ON underway.board_definition TO underway_keeper USING (true) WITH CHECK (true);

CREATE POLICY keeper ON underway.board_profile TO underway_keeper USING (true) WITH CHECK (true);

CREATE POLICY keeper ON underway.board_score TO underway_keeper USING (true) WITH CHECK (true);

CREATE POLICY keeper ON underway.contributor TO underway_keeper USING (true) WITH CHECK (true);

CREATE POLICY keeper ON underway.corrected_version TO underway_keeper USING (true) WITH CHECK (true);

CREATE POLICY keeper ON underway.damaged_record FOR SELECT TO underway_keeper USING (true);

CREATE POLICY keeper ON underway.device FOR SELECT TO underway_keeper USING ((name ~ '^d[A-Za-z0-9_-]{22}$'::text));

CREATE POLICY keeper ON underway.device_content FOR SELECT TO underway_keeper USING (true);

CREATE POLICY keeper ON underway.email_code TO underway_keeper USING (true);

CREATE POLICY keeper ON underway.event TO underway_keeper USING (true) WITH CHECK (true);

CREATE POLICY keeper ON underway.event_score TO underway_keeper USING (true) WITH CHECK (true);

CREATE POLICY keeper ON underway.event_submission TO underway_keeper USING (true) WITH CHECK (true);

CREATE POLICY keeper ON underway.failed_attempt TO underway_keeper USING (true);

CREATE POLICY keeper ON underway.first_answer TO underway_keeper USING (true) WITH CHECK (true);

CREATE POLICY keeper ON underway.first_answer_inbox TO underway_keeper USING (true) WITH CHECK (true);

CREATE POLICY keeper ON underway.identity TO underway_keeper USING (true);

CREATE POLICY keeper ON underway.own_name FOR SELECT TO underway_keeper USING ((kind <> 'options'::text));

CREATE POLICY keeper ON underway.password TO underway_keeper USING (true);

CREATE POLICY keeper ON underway.proposal TO underway_keeper USING (true) WITH CHECK (true);

CREATE POLICY keeper ON underway.question_report TO underway_keeper USING (true) WITH CHECK (true);

CREATE POLICY keeper ON underway.record TO underway_keeper USING ((deleted_at IS NOT NULL));

CREATE POLICY keeper ON underway.refresh_token TO underway_keeper USING (true);

CREATE POLICY keeper ON underway.regrade_note TO underway_keeper USING (true) WITH CHECK (true);

CREATE POLICY keeper ON underway.regrade_state TO underway_keeper USING (true) WITH CHECK (true);

CREATE POLICY keeper ON underway.regraded_answer FOR SELECT TO underway_keeper USING (true);

CREATE POLICY keeper ON underway.release_spread TO underway_keeper USING (true) WITH CHECK (true);

CREATE POLICY keeper ON underway.review_change TO underway_keeper USING (true) WITH CHECK (true);

CREATE POLICY keeper ON underway.role TO underway_keeper USING (true) WITH CHECK (true);

CREATE POLICY keeper ON underway.session_score FOR SELECT TO underway_keeper USING (true);

CREATE POLICY keeper ON underway.setting TO underway_keeper USING (true) WITH CHECK (true);

ALTER TABLE underway.mark ENABLE ROW LEVEL SECURITY;

CREATE POLICY orphans ON underway.answer FOR SELECT TO underway_keeper USING ((NOT (EXISTS ( SELECT
   FROM underway.account a
  WHERE (a.number = answer.account)))));

CREATE POLICY orphans ON underway.question_day FOR SELECT TO underway_keeper USING ((NOT (EXISTS ( SELECT
   FROM underway.account a
  WHERE (a.number = question_day.account)))));

CREATE POLICY orphans ON underway.question_domain FOR SELECT TO underway_keeper USING ((NOT (EXISTS ( SELECT
   FROM underway.account a
  WHERE (a.number = question_domain.account)))));

CREATE POLICY own ON underway.account TO authenticated USING ((user_id = ( SELECT underway.token_user() AS token_user))) WITH CHECK ((user_id = ( SELECT underway.token_user() AS token_user)));

CREATE POLICY own ON underway.answer TO authenticated USING ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user))))) WITH CHECK ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user)))));

CREATE POLICY own ON underway.answer_day TO authenticated USING ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user))))) WITH CHECK ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user)))));

CREATE POLICY own ON underway.board_change FOR INSERT TO authenticated WITH CHECK ((member = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user)))));

CREATE POLICY own ON underway.board_profile TO authenticated USING ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user))))) WITH CHECK ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user)))));

CREATE POLICY own ON underway.contributor TO authenticated USING ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user))))) WITH CHECK ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user)))));

CREATE POLICY own ON underway.damaged_record TO authenticated USING ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user))))) WITH CHECK ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user)))));

CREATE POLICY own ON underway.device TO authenticated USING ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user))))) WITH CHECK ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user)))));

CREATE POLICY own ON underway.device_content TO authenticated USING ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user))))) WITH CHECK ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user)))));

CREATE POLICY own ON underway.event_score TO authenticated USING ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user))))) WITH CHECK ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user)))));

CREATE POLICY own ON underway.event_submission TO authenticated USING ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user))))) WITH CHECK ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user)))));

CREATE POLICY own ON underway.first_answer_inbox TO authenticated USING ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user))))) WITH CHECK ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user)))));

CREATE POLICY own ON underway.mark TO authenticated USING ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user))))) WITH CHECK ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user)))));

CREATE POLICY own ON underway.own_name TO authenticated USING ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user))))) WITH CHECK ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user)))));

CREATE POLICY own ON underway.question_day TO authenticated USING ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user))))) WITH CHECK ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user)))));

CREATE POLICY own ON underway.question_domain TO authenticated USING ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user))))) WITH CHECK ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user)))));

CREATE POLICY own ON underway.question_report TO authenticated USING ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user))))) WITH CHECK ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user)))));

CREATE POLICY own ON underway.record TO authenticated USING ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user))))) WITH CHECK ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user)))));

CREATE POLICY own ON underway.regrade_note TO authenticated USING ((member = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user)))));

CREATE POLICY own ON underway.regraded_answer TO authenticated USING ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user))))) WITH CHECK ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user)))));

CREATE POLICY own ON underway.result TO authenticated USING ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user))))) WITH CHECK ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user)))));

CREATE POLICY own ON underway.review_change FOR INSERT TO authenticated WITH CHECK ((member = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user)))));

CREATE POLICY own ON underway.session TO authenticated USING ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user))))) WITH CHECK ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user)))));

CREATE POLICY own ON underway.session_score TO authenticated USING ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user))))) WITH CHECK ((account = ( SELECT a.number
   FROM underway.account a
  WHERE (a.user_id = ( SELECT underway.token_user() AS token_user)))));

ALTER TABLE underway.own_name ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.password ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.proposal ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.question_day ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.question_domain ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.question_report ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.record ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.refresh_token ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.regrade_note ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.regrade_state ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.regraded_answer ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.release_spread ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.result ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.review_change ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.revocation ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.role ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.session ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.session_score ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.setting ENABLE ROW LEVEL SECURITY;

GRANT USAGE ON SCHEMA auth TO authenticated;
GRANT USAGE ON SCHEMA auth TO anon;

GRANT USAGE ON SCHEMA content TO PUBLIC;

GRANT USAGE ON SCHEMA underway TO authenticated;
GRANT USAGE ON SCHEMA underway TO anon;
GRANT USAGE ON SCHEMA underway TO underway_accounts;
GRANT USAGE ON SCHEMA underway TO underway_keeper;

GRANT SELECT ON TABLE content.questions TO PUBLIC;
GRANT INSERT,DELETE,UPDATE ON TABLE content.questions TO underway_publisher;

GRANT SELECT ON TABLE content.removed_questions TO PUBLIC;
GRANT INSERT,DELETE,UPDATE ON TABLE content.removed_questions TO underway_publisher;

REVOKE ALL ON FUNCTION pg_catalog.lo_creat(integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION pg_catalog.lo_create(oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION pg_catalog.lo_from_bytea(oid, bytea) FROM PUBLIC;

GRANT SELECT,INSERT ON TABLE underway.answer TO authenticated;

GRANT SELECT(account) ON TABLE underway.answer TO underway_keeper;

GRANT SELECT,INSERT ON TABLE underway.own_name TO authenticated;

GRANT SELECT(account) ON TABLE underway.own_name TO underway_keeper;

GRANT SELECT(number) ON TABLE underway.own_name TO underway_keeper;

GRANT SELECT(kind) ON TABLE underway.own_name TO underway_keeper;

GRANT SELECT(digest) ON TABLE underway.own_name TO underway_keeper;

GRANT SELECT(question) ON TABLE underway.own_name TO underway_keeper;

GRANT SELECT(text) ON TABLE underway.own_name TO underway_keeper;

REVOKE ALL ON FUNCTION underway.erase_1(p_limit bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION underway.erase_1(p_limit bigint) TO underway_keeper;

REVOKE ALL ON FUNCTION underway.erase_answers() FROM PUBLIC;

REVOKE ALL ON FUNCTION underway.recount_1(p_account bigint) FROM PUBLIC;

GRANT SELECT ON TABLE content.domains TO PUBLIC;
GRANT INSERT,DELETE,UPDATE ON TABLE content.domains TO underway_publisher;

GRANT SELECT ON TABLE content.exams TO PUBLIC;
GRANT INSERT,DELETE,UPDATE ON TABLE content.exams TO underway_publisher;

GRANT SELECT ON TABLE content.regions TO PUBLIC;
GRANT INSERT,DELETE,UPDATE ON TABLE content.regions TO underway_publisher;

GRANT SELECT ON TABLE content.removed_exams TO PUBLIC;
GRANT INSERT,DELETE,UPDATE ON TABLE content.removed_exams TO underway_publisher;

GRANT SELECT ON TABLE content.state TO PUBLIC;
GRANT INSERT,DELETE,UPDATE ON TABLE content.state TO underway_publisher;

GRANT SELECT,INSERT,UPDATE ON TABLE underway.account TO underway_accounts;
GRANT SELECT ON TABLE underway.account TO underway_keeper;
GRANT SELECT ON TABLE underway.account TO authenticated;

GRANT UPDATE("position") ON TABLE underway.account TO authenticated;

GRANT UPDATE(purged_through) ON TABLE underway.account TO underway_keeper;

GRANT UPDATE(digest) ON TABLE underway.account TO authenticated;

GRANT UPDATE(epoch) ON TABLE underway.account TO authenticated;

GRANT UPDATE(collections) ON TABLE underway.account TO underway_keeper;
GRANT UPDATE(collections) ON TABLE underway.account TO authenticated;

GRANT UPDATE(record_bytes) ON TABLE underway.account TO underway_keeper;
GRANT UPDATE(record_bytes) ON TABLE underway.account TO authenticated;

GRANT UPDATE(answer_bytes) ON TABLE underway.account TO authenticated;

GRANT UPDATE(answer_count) ON TABLE underway.account TO authenticated;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE underway.account_move TO underway_accounts;

GRANT SELECT,INSERT,UPDATE ON TABLE underway.answer_day TO authenticated;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE underway.regraded_answer TO authenticated;
GRANT SELECT ON TABLE underway.regraded_answer TO underway_keeper;

GRANT SELECT ON TABLE underway.answers_by_day TO authenticated;

GRANT SELECT ON TABLE underway.answers_by_difficulty TO authenticated;

GRANT SELECT ON TABLE underway.answers_by_domain TO authenticated;

GRANT SELECT,INSERT,DELETE ON TABLE underway.audit TO underway_keeper;
GRANT INSERT ON TABLE underway.audit TO underway_accounts;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE underway.board TO underway_keeper;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE underway.board_bucket TO underway_keeper;

GRANT INSERT ON TABLE underway.board_change TO authenticated;
GRANT INSERT ON TABLE underway.board_change TO underway_accounts;
GRANT SELECT,DELETE ON TABLE underway.board_change TO underway_keeper;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE underway.board_definition TO underway_keeper;

GRANT SELECT,INSERT,UPDATE ON TABLE underway.board_profile TO authenticated;
GRANT SELECT ON TABLE underway.board_profile TO underway_keeper;

GRANT UPDATE(account) ON TABLE underway.board_profile TO underway_keeper;

GRANT UPDATE(name) ON TABLE underway.board_profile TO underway_keeper;

GRANT UPDATE(is_listed) ON TABLE underway.board_profile TO underway_keeper;

GRANT UPDATE(is_name_blocked) ON TABLE underway.board_profile TO underway_keeper;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE underway.board_score TO underway_keeper;

GRANT SELECT,INSERT,DELETE ON TABLE underway.contributor TO authenticated;
GRANT SELECT,DELETE ON TABLE underway.contributor TO underway_accounts;
GRANT SELECT ON TABLE underway.contributor TO underway_keeper;

GRANT UPDATE(since) ON TABLE underway.contributor TO underway_keeper;

GRANT SELECT,INSERT,DELETE ON TABLE underway.corrected_version TO underway_keeper;
GRANT SELECT ON TABLE underway.corrected_version TO authenticated;

GRANT SELECT,INSERT,DELETE ON TABLE underway.damaged_record TO authenticated;

GRANT SELECT(account) ON TABLE underway.damaged_record TO underway_keeper;

GRANT SELECT("position") ON TABLE underway.damaged_record TO underway_keeper;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE underway.device TO authenticated;

GRANT SELECT(account) ON TABLE underway.device TO underway_keeper;

GRANT SELECT(name) ON TABLE underway.device TO underway_keeper;

GRANT SELECT,INSERT,UPDATE ON TABLE underway.device_content TO authenticated;
GRANT SELECT ON TABLE underway.device_content TO underway_keeper;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE underway.email_code TO underway_accounts;
GRANT DELETE ON TABLE underway.email_code TO underway_keeper;

GRANT SELECT(account) ON TABLE underway.email_code TO underway_keeper;

GRANT SELECT(purpose) ON TABLE underway.email_code TO underway_keeper;

GRANT SELECT(hash) ON TABLE underway.email_code TO underway_keeper;

GRANT SELECT(expires_at) ON TABLE underway.email_code TO underway_keeper;

GRANT SELECT ON TABLE underway.event TO authenticated;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE underway.event TO underway_keeper;

GRANT SELECT,INSERT,UPDATE ON TABLE underway.event_score TO authenticated;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE underway.event_score TO underway_keeper;

GRANT SELECT,INSERT ON TABLE underway.event_submission TO authenticated;
GRANT SELECT,INSERT,DELETE ON TABLE underway.event_submission TO underway_keeper;

GRANT UPDATE(account) ON TABLE underway.event_submission TO underway_keeper;

GRANT UPDATE(points) ON TABLE underway.event_submission TO underway_keeper;

GRANT UPDATE(at) ON TABLE underway.event_submission TO underway_keeper;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE underway.failed_attempt TO underway_accounts;
GRANT DELETE ON TABLE underway.failed_attempt TO underway_keeper;

GRANT SELECT(limit_name) ON TABLE underway.failed_attempt TO underway_keeper;

GRANT SELECT(name) ON TABLE underway.failed_attempt TO underway_keeper;

GRANT SELECT(expires_at) ON TABLE underway.failed_attempt TO underway_keeper;

GRANT SELECT,INSERT ON TABLE underway.first_answer TO underway_keeper;

GRANT INSERT ON TABLE underway.first_answer_inbox TO authenticated;
GRANT SELECT,DELETE ON TABLE underway.first_answer_inbox TO underway_keeper;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE underway.identity TO underway_accounts;

GRANT SELECT(account) ON TABLE underway.identity TO underway_keeper;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE underway.instance_mark TO underway_accounts;

GRANT SELECT,INSERT,DELETE ON TABLE underway.mark TO authenticated;

GRANT SELECT ON TABLE underway.migration TO authenticated;
GRANT SELECT ON TABLE underway.migration TO underway_accounts;
GRANT SELECT ON TABLE underway.migration TO underway_keeper;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE underway.password TO underway_accounts;

GRANT SELECT(account) ON TABLE underway.password TO underway_keeper;

GRANT SELECT,INSERT,UPDATE ON TABLE underway.proposal TO underway_keeper;

GRANT SELECT,INSERT ON TABLE underway.question_day TO authenticated;

GRANT SELECT(account) ON TABLE underway.question_day TO underway_keeper;

GRANT SELECT,INSERT ON TABLE underway.question_domain TO authenticated;

GRANT SELECT(account) ON TABLE underway.question_domain TO underway_keeper;

GRANT SELECT,INSERT,DELETE ON TABLE underway.question_report TO authenticated;
GRANT SELECT,DELETE ON TABLE underway.question_report TO underway_accounts;
GRANT SELECT ON TABLE underway.question_report TO underway_keeper;

GRANT UPDATE(version) ON TABLE underway.question_report TO authenticated;

GRANT UPDATE(reason) ON TABLE underway.question_report TO authenticated;

GRANT UPDATE(text) ON TABLE underway.question_report TO authenticated;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE underway.record TO authenticated;
GRANT DELETE ON TABLE underway.record TO underway_keeper;

GRANT SELECT(account) ON TABLE underway.record TO underway_keeper;

GRANT SELECT(collection) ON TABLE underway.record TO underway_keeper;

GRANT SELECT(id) ON TABLE underway.record TO underway_keeper;

GRANT SELECT("position") ON TABLE underway.record TO underway_keeper;

GRANT SELECT(deleted_at) ON TABLE underway.record TO underway_keeper;

GRANT SELECT(json) ON TABLE underway.record TO underway_keeper;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE underway.refresh_token TO underway_accounts;
GRANT DELETE ON TABLE underway.refresh_token TO underway_keeper;

GRANT SELECT(hash) ON TABLE underway.refresh_token TO underway_keeper;

GRANT SELECT(expires_at) ON TABLE underway.refresh_token TO underway_keeper;

GRANT SELECT,DELETE ON TABLE underway.regrade_note TO authenticated;
GRANT SELECT,INSERT,DELETE ON TABLE underway.regrade_note TO underway_keeper;

GRANT SELECT,INSERT,UPDATE ON TABLE underway.regrade_state TO underway_keeper;
GRANT SELECT ON TABLE underway.regrade_state TO authenticated;

GRANT SELECT,INSERT,UPDATE ON TABLE underway.release_spread TO underway_keeper;

GRANT SELECT,INSERT,DELETE ON TABLE underway.result TO authenticated;

GRANT SELECT ON TABLE underway.retention TO authenticated;

GRANT INSERT ON TABLE underway.review_change TO authenticated;
GRANT SELECT,DELETE ON TABLE underway.review_change TO underway_keeper;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE underway.revocation TO underway_accounts;

GRANT SELECT,INSERT,DELETE ON TABLE underway.role TO underway_keeper;
GRANT SELECT,DELETE ON TABLE underway.role TO underway_accounts;

GRANT SELECT,INSERT ON TABLE underway.session TO authenticated;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE underway.session_score TO authenticated;
GRANT SELECT ON TABLE underway.session_score TO underway_keeper;

GRANT SELECT ON TABLE underway.setting TO authenticated;
GRANT SELECT,INSERT,UPDATE ON TABLE underway.setting TO underway_accounts;
GRANT SELECT,INSERT,UPDATE ON TABLE underway.setting TO underway_keeper;

GRANT SELECT ON TABLE underway.study_streak TO authenticated;

